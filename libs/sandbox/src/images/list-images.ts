import { OciIndex, OciManifest } from '@reenact/domain/schemas';
import { repositoryOf } from './build-image.js';
import { nameOf, readJsonBlob, readLayoutIndex } from './oci-layout.js';

/** An image of a layout. */
export interface ListedImage {
  name: string;
  /** `repository@sha256:…`. */
  reference: string;
  platforms: string[];
  /** Of the compressed layers. */
  bytes: number;
}

/**
 * The images of a layout, by name; none where there is no layout.
 * @throws AppError `image-not-buildable` for a folder that holds something else.
 */
export async function listImages(directory: string): Promise<ListedImage[]> {
  const { manifests } = await readLayoutIndex(directory);
  const listed: ListedImage[] = [];
  for (const image of manifests) {
    const forms = OciIndex.safeParse(await readJsonBlob(directory, image.digest));
    const found = forms.success ? forms.data.manifests.filter(({ artifactType }) => artifactType === undefined) : [];
    const name = nameOf(image);
    listed.push({
      name,
      reference: `${repositoryOf(name)}@${image.digest}`,
      platforms: found.map(({ platform }) => (platform === undefined ? 'unknown' : `${platform.os}/${platform.architecture}`)),
      bytes: await layerBytes(
        directory,
        found.map(({ digest }) => digest),
      ),
    });
  }
  return listed;
}

async function layerBytes(directory: string, manifests: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const digest of manifests) {
    const manifest = OciManifest.safeParse(await readJsonBlob(directory, digest));
    if (manifest.success) bytes += manifest.data.layers.reduce((sum, { size }) => sum + size, 0);
  }
  return bytes;
}
