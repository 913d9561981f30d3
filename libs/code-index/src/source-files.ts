export type SourceKind = 'python' | 'notebook' | 'configuration' | 'launcher' | 'readme' | 'requirements';

/** A file that is indexed: decoded, with `\n` line ends. */
export interface SourceFile {
  /** Relative to the tree, with `/`. */
  file: string;
  kind: SourceKind;
  text: string;
}

/** Why a file or folder is not indexed. `unparsable` is a file on which the parser dies. */
export type SkipReason =
  | 'hidden'
  | 'cache'
  | 'vendored'
  | 'generated'
  | 'data'
  | 'too-big'
  | 'minified'
  | 'binary'
  | 'link'
  | 'unreadable'
  | 'unparsable'
  | 'too-many-files';

/** A file or folder that is not indexed, and why. */
export interface SkippedPath {
  path: string;
  reason: SkipReason;
}

const MEBIBYTE = 1024 * 1024;
/** Largest file of a kind that is indexed, in bytes: hand-written files stay below, data and dumps above. */
export const LARGEST_BYTES: Record<SourceKind, number> = {
  python: MEBIBYTE,
  notebook: 4 * MEBIBYTE,
  configuration: 64 * 1024,
  launcher: 256 * 1024,
  readme: 256 * 1024,
  requirements: 64 * 1024,
};

/** Phrases of compilers of interfaces and grammars. Code made from notebooks or templates is left in: it runs, and traces name it. */
const GENERATED =
  /@generated|generated (?:automatically )?by (?:the )?(?:protocol buffer|gRPC|thrift|flatbuffers?|swig|openapi|swagger)|generated from \S{1,200}\.g4 by ANTLR/i;
/** Names that protocol-buffer compilers and parser generators give. */
const GENERATED_NAMES = /(?:_pb2(?:_grpc)?\.pyi?|(?:^|\/)(?:parsetab|lextab)\.py)$/;
/** Longer texts with lines of this mean length are no one's handwriting. */
const MINIFIED_CHARACTERS = 20_000;
const MINIFIED_LINE_CHARACTERS = 500;

/** Why a decoded text is not indexed; null for what a person wrote. */
export function textReason(file: string, kind: SourceKind, text: string): SkipReason | null {
  if (GENERATED_NAMES.test(file)) return 'generated';
  const head = text.slice(0, 2000).split('\n', 5).join('\n');
  if (kind === 'python' && GENERATED.test(head)) return 'generated';
  const isLong = kind !== 'notebook' && text.length > MINIFIED_CHARACTERS;
  return isLong && text.length / (text.split('\n').length + 1) > MINIFIED_LINE_CHARACTERS ? 'minified' : null;
}

/** What kind of source a path is by its name; null for files that are not indexed. */
export function sourceKind(file: string): SourceKind | null {
  const base = file.slice(file.lastIndexOf('/') + 1).toLowerCase();
  if (/\.pyw?$/.test(base)) return 'python';
  if (base.endsWith('.ipynb')) return 'notebook';
  if (/^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/.test(base) || base === 'pipfile') return 'requirements';
  if (/^readme(?:\.[a-z]+)?$/.test(base)) return 'readme';
  if (/\.(?:sh|bash|slurm|sbatch)$/.test(base) || base === 'makefile') return 'launcher';
  if (/(?:^|[-.])lock\b|^package(?:-lock)?\.json$/.test(base)) return null;
  return /\.(?:ya?ml|toml|json|cfg|ini)$/.test(base) ? 'configuration' : null;
}
