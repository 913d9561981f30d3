import { z } from 'zod';

/** Media types of the OCI image specification 1.1. */
export const OCI_MEDIA_TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  empty: 'application/vnd.oci.empty.v1+json',
} as const;

export const OciDigest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const Annotations = z.record(z.string(), z.string());

/** Names a blob by its digest. */
export const OciDescriptor = z.object({
  mediaType: z.string(),
  digest: OciDigest,
  size: z.number().int().nonnegative(),
  artifactType: z.string().optional(),
  platform: z.object({ architecture: z.string(), os: z.string() }).optional(),
  annotations: Annotations.optional(),
});
export type OciDescriptor = z.infer<typeof OciDescriptor>;

/** One image in its forms for several platforms, or the images of a layout. */
export const OciIndex = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal(OCI_MEDIA_TYPES.index),
  manifests: z.array(OciDescriptor),
  annotations: Annotations.optional(),
});
export type OciIndex = z.infer<typeof OciIndex>;

/** One image for one platform, or what is attached to one (`subject`). */
export const OciManifest = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal(OCI_MEDIA_TYPES.manifest),
  artifactType: z.string().optional(),
  config: OciDescriptor,
  layers: z.array(OciDescriptor),
  subject: OciDescriptor.optional(),
  annotations: Annotations.optional(),
});
export type OciManifest = z.infer<typeof OciManifest>;

/** A layer that a layout holds already. */
export const KnownLayer = z.object({
  digest: OciDigest,
  /** Digest of the archive before it was compressed. */
  diffId: OciDigest,
  bytes: z.number(),
  /** Bytes of its files. */
  contentBytes: z.number(),
});
export type KnownLayer = z.infer<typeof KnownLayer>;
