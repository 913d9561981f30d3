// Everything beyond the cluster: answers at every address, on HTTP ports and as a name server, and writes down who came. A test of
// isolation can so prove that a way out is open to an unprotected pod, and that nothing of a protected one arrived.
// Arguments: the file to write to, one JSON object a line.
import { appendFileSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import process from 'node:process';

const HTTP_PORTS = [80, 443, 8080];
const NAME_SERVER_PORT = 53;
/** What every name resolves to, of the range for documentation. */
const ANSWER_ADDRESS = [192, 0, 2, 53];

const [seen] = process.argv.slice(2);
const witness = (what) => appendFileSync(seen, `${JSON.stringify(what)}\n`);

for (const port of HTTP_PORTS) {
  createServer((request, response) => {
    const { localAddress: to, remoteAddress: from } = request.socket;
    const path = request.url ?? '/';
    witness({ protocol: 'http', from, to, port, path });
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify({ reached: to, port, path })}\n`);
  })
    // Whoever speaks anything else was here too.
    .on('connection', ({ localAddress: to, remoteAddress: from }) => witness({ protocol: 'tcp', from, to, port }))
    .listen(port, '0.0.0.0');
}

/** Labels of the question's name, and where the question ends. */
function readQuestion(message) {
  const labels = [];
  let at = 12;
  while (at < message.length && message[at] !== 0) {
    labels.push(message.subarray(at + 1, at + 1 + message[at]).toString('latin1'));
    at += 1 + message[at];
  }
  return { name: labels.join('.'), end: at + 5 };
}

const socket = createSocket('udp4');
socket.on('message', (message, { address, port }) => {
  if (message.length < 17) return;
  const { name, end } = readQuestion(message);
  witness({ protocol: 'dns', from: address, name });
  const isForAddress = message.readUInt16BE(end - 4) === 1;
  const header = Buffer.from(message.subarray(0, 12));
  // Answer, recursion available, no error; one question, an answer where an address was asked for.
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isForAddress ? 1 : 0, 6);
  header.fill(0, 8);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...ANSWER_ADDRESS]);
  socket.send(Buffer.concat([header, message.subarray(12, end), ...(isForAddress ? [answer] : [])]), port, address);
});
socket.bind(NAME_SERVER_PORT, '0.0.0.0');
