export { createElasticsearchIndex } from './elasticsearch-index.js';
export type { ElasticsearchIndex } from './elasticsearch-index.js';
export type { ElasticsearchCredentials, ElasticsearchSettings } from './settings.js';
