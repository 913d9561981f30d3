// Keeps made-up nodes alive: renews their leases as kubelets do. Arguments: address of the API server, folder of the administrator's
// certificate, folder with one file for each node, named after it.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_MILLISECONDS = 2_000;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

const [server, pki, nodes] = process.argv.slice(2);
const read = (name) => readFileSync(path.join(pki, name));
const agent = new Agent({ keepAlive: true, ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') });

/** Sends one request; gives its status. */
function send(method, address, contentType, body) {
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${address}`, { method, agent, timeout: 5_000, headers: { 'content-type': contentType } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(JSON.stringify(body));
  });
}

async function renew(name) {
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new Date().toISOString().replace('Z', '000Z') };
  const status = await send('PATCH', `${LEASES}/${name}`, 'application/merge-patch+json', { spec });
  if (status !== 404) return;
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'kube-node-lease' }, spec };
  await send('POST', LEASES, 'application/json', lease);
}

for (;;) {
  // A server that is away for a while is met again.
  for (const name of await readdir(nodes).catch(() => [])) await renew(name).catch((error) => console.error(String(error)));
  await sleep(PERIOD_MILLISECONDS);
}
