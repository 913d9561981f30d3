export { QUEUES, QUEUE_NAMES } from './queues.js';
export type { QueueName } from './queues.js';
export { SEARCH_ATTRIBUTES, SEARCH_ATTRIBUTE_DECLARATIONS } from './search-attributes.js';
export type { SearchAttributeDeclaration } from './search-attributes.js';
export { dataConverter } from './data-converter.js';
export { connectTemporal } from './connection.js';
export type { TemporalClient, TemporalConnectionOptions, TemporalTls } from './connection.js';
export { isCancelled, toAppError } from './failure-mapping.js';
