import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Embedder } from '@reenact/domain';

/** An OpenAI-compatible `/embeddings` endpoint on this machine that answers by an embedder. */
export interface EmbeddingsEndpoint {
  baseUrl: string;
  /** Texts of every request that was answered, in order. */
  answered: string[][];
  /** Called before each answer; a request waits for it. */
  beforeAnswer: (request: number) => Promise<void>;
  close(): void;
}

/** Starts the endpoint on a free port. */
export async function startEmbeddingsEndpoint(embedder: Embedder): Promise<EmbeddingsEndpoint> {
  const answered: string[][] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request) body += String(part);
      const { input } = JSON.parse(body) as { input: string[] };
      await endpoint.beforeAnswer(answered.length);
      const vectors = await embedder.embed(input, 'document');
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }), () => answered.push(input));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint: EmbeddingsEndpoint = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    answered,
    beforeAnswer: () => Promise.resolve(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return endpoint;
}
