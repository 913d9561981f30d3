import { createServer } from 'node:net';
import { AppError } from '@reenact/domain';
import { SERVER_HOST } from './dev-server-arguments.js';

/** Ports of gRPC and UI. */
export interface ServerPorts {
  port: number;
  uiPort: number;
}

/**
 * Chooses two free ports: the preferred ones where they are free (links in a browser and connected workers go on working), else any.
 * Between choosing and binding somebody else may take one; callers try again.
 */
export async function chooseServerPorts(preferred: ServerPorts | null): Promise<ServerPorts> {
  const port = await freePort(preferred?.port);
  let uiPort = await freePort(preferred?.uiPort);
  while (uiPort === port) uiPort = await freePort(undefined);
  return { port, uiPort };
}

async function freePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined && (await bind(wanted)) !== null) return wanted;
  const port = await bind(0);
  if (port === null) throw new AppError('internal', `No free port on ${SERVER_HOST}.`);
  return port;
}

/** Binds and lets go again; null when the port is taken. */
function bind(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host: SERVER_HOST, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
