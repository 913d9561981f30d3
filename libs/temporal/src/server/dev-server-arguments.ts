import { SEARCH_ATTRIBUTE_DECLARATIONS } from '../client/search-attributes.js';

/** Loopback only: the dev server has no authorisation. */
export const SERVER_HOST = '127.0.0.1';

/** What a start of the dev server needs. */
export interface DevServerOptions {
  port: number;
  uiPort: number;
  databaseFile: string;
  namespace: string;
  /** The program knows `--ui-disable-news-fetch`. */
  canDisableNews: boolean;
}

/**
 * Arguments of `temporal server start-dev`. Measured effects (test-beds.md, Temporal): WAL with synchronous=NORMAL makes 200 workflows
 * 72 s → 13 s; without the two poll rates every task waits 50 ms. Fairness as on a cluster (temporal.md section 7.2).
 */
export function devServerArguments(options: DevServerOptions): string[] {
  const dynamic = ['history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxPollRPS=1000', 'matching.enableFairness=true'];
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'];
  return [
    ...['server', 'start-dev', '--ip', SERVER_HOST],
    ...['--port', String(options.port), '--ui-port', String(options.uiPort)],
    ...['--db-filename', options.databaseFile, '--namespace', options.namespace, '--log-level', 'error'],
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...dynamic.flatMap((value) => ['--dynamic-config-value', value]),
    ...SEARCH_ATTRIBUTE_DECLARATIONS.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
    ...(options.canDisableNews ? ['--ui-disable-news-fetch'] : []),
  ];
}
