export { createIndexKills } from './index-kills.js';
export type { IndexKills } from './index-kills.js';
