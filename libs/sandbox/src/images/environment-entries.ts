import { realpath } from 'node:fs/promises';
import { addCompiled, alignBytecode } from './bytecode-entries.js';
import type { InterpreterDescription } from './describe-interpreter.js';
import { includeLinkedFromSystem, includePath, includePrefix } from './image-contents.js';
import type { ImageContents } from './image-contents.js';
import type { LayerTree } from './layer-entry.js';
import { includeLibraries } from './shared-libraries.js';

/** What an environment needs above a root. */
export interface EnvironmentContents {
  tree: LayerTree;
  /** Libraries that were found nowhere; a machine with a GPU driver has some of them. */
  missingLibraries: string[];
}

/** A mapped library of the system is found again by its name, where the root may have its own. */
const SYSTEM_LIBRARY = /\/lib[^/]*\.so(?:\.[^/]*)?$|\/ld-linux[^/]*$/;

/**
 * Everything that an interpreter needs, each file at its own path: prefixes, import path, packages, byte code, shared libraries that the
 * root lacks. Nothing else of this machine.
 *
 * @param baseDirectory folder of the root below.
 * @throws AppError `image-not-buildable` for what cannot be read, or needs a newer root.
 */
export async function environmentEntries(description: InterpreterDescription, baseDirectory: string): Promise<EnvironmentContents> {
  const contents: ImageContents = { tree: new Map(), baseDirectory };
  const prefixes = new Set(
    await Promise.all([description.prefix, description.basePrefix].map((prefix) => realpath(prefix).catch(() => prefix))),
  );
  for (const path of description.paths) await (prefixes.has(path) ? includePrefix : includePath)(contents, path);
  for (const path of description.systemPaths.filter((system) => !SYSTEM_LIBRARY.test(system))) await includePath(contents, path);
  await includeLinkedFromSystem(contents);
  const missingLibraries = await includeLibraries(contents);
  await alignBytecode(contents.tree);
  if (description.bytecode !== null) {
    await addCompiled(contents.tree, description.bytecode);
    await alignBytecode(contents.tree);
  }
  return { tree: contents.tree, missingLibraries };
}
