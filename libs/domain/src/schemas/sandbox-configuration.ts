import { z } from 'zod';
import { given, readPart } from './model-configuration.js';
import type { VariableProblem, Variables } from './model-configuration.js';

const text = z.string().optional();

/** Variables that say where trials run. */
export const SandboxVariables = z.object({
  SANDBOX_TYPE: text.describe('where trials run: local (this machine, the default) or kubernetes (Jobs of a cluster)'),
  KUBERNETES_SETTINGS: text.describe('kubernetes: YAML or JSON file with images and pools; docs/kubernetes.md tells what stands in it'),
  KUBERNETES_CONTEXT: text.describe('kubernetes: context of the kubeconfig file; default: its current one'),
  KUBERNETES_SERVICE_HOST: text.describe('kubernetes: host of the API server; every pod has it'),
  KUBERNETES_SERVICE_PORT: text.describe('kubernetes: its port'),
  KUBECONFIG: text.describe('kubernetes: the kubeconfig file; without it the service account of the pod that this process runs in'),
});

/** Where trials run. */
export const SandboxConfiguration = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('local') }),
      z.strictObject({
        type: z.literal('kubernetes'),
        settings: z.string(),
        kubeconfig: z.string().nullable().default(null),
        context: z.string().nullable().default(null),
        /** Of the API server, as the pod that this process runs in is told them; null = it runs in none. */
        apiHost: z.string().nullable().default(null),
        apiPort: z.coerce.number().int().min(1).max(65_535).nullable().default(null),
      }),
    ],
    { error: 'one of local, kubernetes' },
  )
  .superRefine((value, context) => {
    if (value.type === 'kubernetes' && value.context !== null && value.kubeconfig === null)
      context.addIssue({ code: 'custom', path: ['context'], message: 'KUBECONFIG beside it' });
  });
export type SandboxConfiguration = z.infer<typeof SandboxConfiguration>;

const SANDBOX = { type: 'SANDBOX_TYPE', settings: 'KUBERNETES_SETTINGS', context: 'KUBERNETES_CONTEXT' };
const CLUSTER = {
  ...SANDBOX,
  kubeconfig: 'KUBECONFIG',
  apiHost: 'KUBERNETES_SERVICE_HOST',
  apiPort: 'KUBERNETES_SERVICE_PORT',
};

/**
 * Reads the variables of the sandbox; one that the chosen type does not use is a problem too, except those that a machine or a pod has
 * anyhow.
 */
export function readSandbox(variables: Variables): { sandbox: SandboxConfiguration | null; problems: VariableProblem[] } {
  const names = variables['SANDBOX_TYPE'] === 'kubernetes' ? CLUSTER : SANDBOX;
  const { value, problems } = readPart(SandboxConfiguration, names, { type: 'local', ...given(variables, names) });
  return { sandbox: value, problems };
}
