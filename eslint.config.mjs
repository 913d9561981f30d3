import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Layers point one way: domain ← stage ← apps; workflows see the domain only (ARCHITECTURE.md). */
const layers = [
  { sourceTag: 'layer:domain', onlyDependOnLibsWithTags: ['layer:domain'] },
  { sourceTag: 'layer:stage', onlyDependOnLibsWithTags: ['layer:domain', 'layer:stage'] },
  { sourceTag: 'layer:workflow', onlyDependOnLibsWithTags: ['layer:domain'] },
  { sourceTag: 'layer:app', onlyDependOnLibsWithTags: ['layer:domain', 'layer:stage', 'layer:workflow'] },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.reenact/**', '.nx/**', 'bench/cases/**', 'examples/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts'] }, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints: layers, allow: [] }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read in one place: config.ts of an app.' },
      ],
      'no-console': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'max-depth': ['error', 3],
    },
  },
  {
    files: ['libs/domain/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*', 'fs', 'path', 'crypto'], message: 'The domain has no I/O.' }] }],
    },
  },
  {
    files: ['workflows/**/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.integration.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['zod', '@reenact/domain/schemas'],
          patterns: [
            {
              group: ['node:*', '@temporalio/client', '@temporalio/worker', '@temporalio/activity'],
              message: 'Workflow code is deterministic.',
            },
          ],
        },
      ],
    },
  },
  { files: ['**/config.ts', '**/*.spec.ts', '**/*.integration.ts', '**/*.cluster.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['**/*.spec.ts', '**/*.integration.ts', '**/*.cluster.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['vitest.config.ts', 'eslint.config.mjs'], rules: { 'no-restricted-exports': 'off' } },
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } } },
);
