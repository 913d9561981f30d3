import { z } from 'zod';
import { address, given, readPart } from './model-configuration.js';
import type { VariableProblem, Variables } from './model-configuration.js';

const text = z.string().optional();

/** Variables that say where chunks are indexed and searched. */
export const SearchVariables = z.object({
  SEARCH_TYPE: text.describe('where code is indexed: embedded (files of this machine, the default) or elasticsearch (a cluster)'),
  ELASTICSEARCH_URL: text.describe('elasticsearch: http or https address of a cluster of version 9'),
  ELASTICSEARCH_API_KEY: text.describe('elasticsearch: its API key, encoded (secret)'),
  ELASTICSEARCH_USERNAME: text.describe('elasticsearch: user name, instead of a key'),
  ELASTICSEARCH_PASSWORD: text.describe('elasticsearch: its password (secret)'),
  ELASTICSEARCH_CA_FILE: text.describe('elasticsearch: PEM file of the authority that signed its certificate'),
});

const secret = z.string().optional();

/** Where chunks are indexed and searched. */
export const SearchConfiguration = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('embedded') }),
      z.strictObject({
        type: z.literal('elasticsearch'),
        url: address,
        apiKey: secret,
        username: secret,
        password: secret,
        caFile: z.string().optional(),
      }),
    ],
    { error: 'one of embedded, elasticsearch' },
  )
  .superRefine((value, context) => {
    if (value.type !== 'elasticsearch') return;
    const { apiKey, username, password } = value;
    const refuse = (key: string, message: string): void => context.addIssue({ code: 'custom', path: [key], message });
    if (apiKey !== undefined && (username !== undefined || password !== undefined))
      refuse('apiKey', 'either a key, or user name and password');
    if (username !== undefined && password === undefined) refuse('username', 'a password beside it');
    if (password !== undefined && username === undefined) refuse('password', 'a user name beside it');
  });
export type SearchConfiguration = z.infer<typeof SearchConfiguration>;

const SEARCH = {
  type: 'SEARCH_TYPE',
  url: 'ELASTICSEARCH_URL',
  apiKey: 'ELASTICSEARCH_API_KEY',
  username: 'ELASTICSEARCH_USERNAME',
  password: 'ELASTICSEARCH_PASSWORD',
  caFile: 'ELASTICSEARCH_CA_FILE',
};

/** Reads the variables of the search; one that the chosen type does not use is a problem too. */
export function readSearch(variables: Variables): { search: SearchConfiguration | null; problems: VariableProblem[] } {
  const { value, problems } = readPart(SearchConfiguration, SEARCH, { type: 'embedded', ...given(variables, SEARCH) });
  return { search: value, problems };
}
