import { join } from 'node:path';
import { OCI_MEDIA_TYPES } from '@reenact/domain/schemas';
import type { OciDescriptor } from '@reenact/domain';
import { IMAGE_CREATED, PRODUCT_VERSION, billOfMaterials } from './bill-of-materials.js';
import type { Materials } from './bill-of-materials.js';
import { RUN_USER } from './base-entries.js';
import { orderEntries } from './layer-entry.js';
import type { LayerTree } from './layer-entry.js';
import { nameImage, openLayout, putFile, putJson, putLayer } from './oci-layout.js';
import type { OciLayout, PlacedLayer } from './oci-layout.js';

export interface LayerPlan {
  /** What the layer holds, for people. */
  title: string;
  tree: LayerTree;
}

/** Everything that an image is made of. */
export interface ImagePlan {
  /** `repository` or `repository:tag`. */
  name: string;
  layers: LayerPlan[];
  /** What is started; the command may be replaced. */
  entrypoint: string[];
  command: string[];
  workingDirectory: string;
  environment: Record<string, string>;
  labels: Record<string, string>;
  materials: Omit<Materials, 'name'>;
}

export interface BuiltLayer extends PlacedLayer {
  title: string;
}

export interface BuiltImage {
  name: string;
  /** `repository@sha256:…`: the image in its form for every platform, and its bill of materials. */
  reference: string;
  digest: string;
  platform: string;
  layers: BuiltLayer[];
  /** The bill of materials, beside the layout's own files. */
  billOfMaterials: string;
}

export interface BuildOptions {
  /** Folder of the layout; it may hold other images. One build at a time. */
  directory: string;
  signal: AbortSignal;
  onProgress: (message: string) => void;
  /** Bytes that were archived since the last call. */
  onBytes: (bytes: number) => void;
}

const SPDX_MEDIA_TYPE = 'application/spdx+json';
const NODE_ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Writes an image into a layout: layers that are there already are kept, equal plans over equal files give equal digests. The bill of
 * materials is attached to the image (`subject`), listed beside it for no platform, and written as a file.
 *
 * @throws AppError `image-not-buildable` for files that cannot be read, no space, or a folder that holds something else.
 */
export async function buildImage(plan: ImagePlan, options: BuildOptions): Promise<BuiltImage> {
  const layout = await openLayout(options.directory);
  const layers: BuiltLayer[] = [];
  for (const { title, tree } of plan.layers) {
    options.onProgress(`layer: ${title}`);
    layers.push({ title, ...(await putLayer(layout, orderEntries(tree), options)) });
  }
  const platform = { architecture: NODE_ARCHITECTURES[process.arch] ?? process.arch, os: 'linux' };
  const manifest = await putManifest(layout, plan, { layers, platform });
  const bill = billOfMaterials({ name: plan.name, ...plan.materials });
  const attached = await attachBill(layout, manifest, bill);
  const index = await putJson(layout, OCI_MEDIA_TYPES.index, {
    schemaVersion: 2,
    mediaType: OCI_MEDIA_TYPES.index,
    manifests: [{ ...manifest, platform }, attached],
  });
  await nameImage(layout, index, plan.name);
  const billFile = `sbom-${index.digest.slice('sha256:'.length, 19)}.spdx.json`;
  await putFile(layout, billFile, `${JSON.stringify(bill, null, 2)}\n`);
  return {
    name: plan.name,
    reference: `${repositoryOf(plan.name)}@${index.digest}`,
    digest: index.digest,
    platform: `${platform.os}/${platform.architecture}`,
    layers,
    billOfMaterials: join(options.directory, billFile),
  };
}

/** A name without its tag; a port is none. */
export function repositoryOf(name: string): string {
  return name.replace(/:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, '');
}

interface Parts {
  layers: BuiltLayer[];
  platform: { architecture: string; os: string };
}

async function putManifest(layout: OciLayout, plan: ImagePlan, { layers, platform }: Parts): Promise<OciDescriptor> {
  const config = await putJson(layout, OCI_MEDIA_TYPES.config, {
    created: IMAGE_CREATED,
    ...platform,
    config: {
      User: `${RUN_USER.id}:${RUN_USER.id}`,
      Env: Object.entries({ PATH, LANG: 'C.UTF-8', ...plan.environment }).map(([name, value]) => `${name}=${value}`),
      Entrypoint: plan.entrypoint,
      Cmd: plan.command,
      WorkingDir: plan.workingDirectory,
      Labels: { 'org.opencontainers.image.version': PRODUCT_VERSION, ...plan.labels },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created: IMAGE_CREATED, created_by: title })),
  });
  return putJson(layout, OCI_MEDIA_TYPES.manifest, {
    schemaVersion: 2,
    mediaType: OCI_MEDIA_TYPES.manifest,
    config,
    layers: layers.map(({ digest, bytes }) => ({ mediaType: OCI_MEDIA_TYPES.layer, digest, size: bytes })),
    annotations: { 'org.opencontainers.image.created': IMAGE_CREATED },
  });
}

/** An artefact of the specification 1.1: an empty configuration, one layer that is the document, the image as its subject. */
async function attachBill(layout: OciLayout, subject: OciDescriptor, bill: object): Promise<OciDescriptor> {
  const manifest = await putJson(layout, OCI_MEDIA_TYPES.manifest, {
    schemaVersion: 2,
    mediaType: OCI_MEDIA_TYPES.manifest,
    artifactType: SPDX_MEDIA_TYPE,
    config: await putJson(layout, OCI_MEDIA_TYPES.empty, {}),
    layers: [await putJson(layout, SPDX_MEDIA_TYPE, bill)],
    subject,
    annotations: { 'org.opencontainers.image.created': IMAGE_CREATED },
  });
  // A platform that nobody has keeps runtimes from taking it for the image.
  return { ...manifest, artifactType: SPDX_MEDIA_TYPE, platform: { architecture: 'unknown', os: 'unknown' } };
}
