// A real Elasticsearch node for tests and trials by hand: `node tools/test-beds/elasticsearch.mjs up|down|status`.
// `up` prints its URL (for ES_URL) and does nothing where it runs already; `down` ends it and deletes its data.
import process from 'node:process';
import { bringNodeUp, findNode, readTestBedConfiguration, takeNodeDown } from '../../libs/retrieval/dist/elasticsearch/testing/index.js';

const NAME = 'by-hand';

async function main([verb]) {
  const configuration = readTestBedConfiguration();
  if (verb === 'up') console.log(await bringNodeUp(configuration, NAME));
  else if (verb === 'down') await takeNodeDown(configuration, NAME);
  else if (verb === 'status') {
    const url = await findNode(configuration, NAME);
    console.log(url ?? 'not running');
    return url === null ? 1 : 0;
  } else {
    console.error('Usage: node tools/test-beds/elasticsearch.mjs up|down|status');
    return 2;
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
