// A registry of images, only to pull from. Arguments: port, and a folder with `blobs/sha256/…`, `tags/<name>/<tag>` (a digest) and
// `answer`: "ok", or the status that every request gets instead, or "hang".
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CODES = { 401: 'UNAUTHORIZED', 403: 'DENIED', 404: 'MANIFEST_UNKNOWN', 429: 'TOOMANYREQUESTS' };

const [port, folder] = process.argv.slice(2);

function refuse(response, status) {
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 ? { 'www-authenticate': 'Basic realm="test"' } : {}),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify({ errors: [{ code: CODES[status] ?? 'UNAVAILABLE', message: 'as asked for' }] }));
}

/** The digest that a request names, itself or by a tag; null where there is none. */
async function digestOf(name, reference) {
  if (/^sha256:[0-9a-f]{64}$/.test(reference)) return reference;
  if (!/^[\w.-]+$/.test(reference) || name.split('/').includes('..')) return null;
  return await readFile(path.join(folder, 'tags', name, reference), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

async function serve(request, response) {
  const answer = (await readFile(path.join(folder, 'answer'), 'utf8').catch(() => 'ok')).trim();
  if (answer === 'hang') return;
  if (answer !== 'ok') return refuse(response, Number(answer));
  const asked = /^\/v2\/([a-z0-9._/-]+)\/(manifests|blobs)\/([\w.:-]+)(?:\?.*)?$/.exec(request.url ?? '');
  if (/^\/v2\/?$/.test(request.url ?? '')) return void response.writeHead(200).end('{}');
  const digest = asked === null ? null : await digestOf(asked[1], asked[3]);
  if (digest === null) return refuse(response, 404);
  const file = path.join(folder, 'blobs', 'sha256', digest.slice('sha256:'.length));
  const size = await stat(file).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return refuse(response, 404);
  response.writeHead(200, {
    'content-type': asked[2] === 'manifests' ? MANIFEST_TYPE : 'application/octet-stream',
    'content-length': size,
    'docker-content-digest': digest,
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
}).listen(Number(port), '0.0.0.0');
