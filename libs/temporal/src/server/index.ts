export { ensureTemporalServer, findTemporalServer } from './ensure-server.js';
export type { TemporalServer, TemporalServerConfig } from './ensure-server.js';
export { stopTemporalServer } from './stop-server.js';
export type { StopOptions, StopResult } from './stop-server.js';
export type { AttributeCheck } from './search-attribute-check.js';
export { isSameProcess, processStartTime } from './process-identity.js';
export type { ProcessIdentity } from './process-identity.js';
export { withExclusiveLock } from './exclusive-lock.js';
export type { LockOptions } from './exclusive-lock.js';
