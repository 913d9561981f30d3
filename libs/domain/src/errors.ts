/** Closed list of error codes, grouped by what to do about them. */
export const ERROR_CODES = {
  // user: mend the request
  usage: 'user',
  'report-unreadable': 'user',
  'subject-not-found': 'user',
  'subject-revision-not-found': 'user',
  'case-invalid': 'user',
  'bundle-invalid': 'user',
  'patch-does-not-apply': 'user',
  'oracle-invalid': 'user',
  'run-not-found': 'user',
  'unsandboxed-refused': 'user',
  // config: mend the settings
  'config-invalid': 'config',
  'interpreter-not-found': 'config',
  'environment-unsolvable': 'config',
  'llm-auth': 'config',
  'image-not-buildable': 'config',
  'model-call-not-recorded': 'config',
  'search-auth': 'config',
  'search-unsupported': 'config',
  // upstream: try again later
  'temporal-unreachable': 'upstream',
  'llm-unreachable': 'upstream',
  'llm-rate-limited': 'upstream',
  'llm-output-invalid': 'upstream',
  'sandbox-failed': 'upstream',
  'package-index-unreachable': 'upstream',
  'index-damaged': 'upstream',
  'search-unreachable': 'upstream',
  'cluster-unreachable': 'upstream',
  // limit: a budget ended
  'budget-exceeded': 'limit',
  // bug: ours
  internal: 'bug',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
export type ErrorGroup = (typeof ERROR_CODES)[ErrorCode];

/** Exit status and Temporal retryability of each group: the one table (architecture.md section 3). */
export const ERROR_GROUPS: Record<ErrorGroup, { exitStatus: number; retryable: boolean }> = {
  user: { exitStatus: 2, retryable: false },
  config: { exitStatus: 3, retryable: false },
  upstream: { exitStatus: 5, retryable: true },
  limit: { exitStatus: 4, retryable: false },
  bug: { exitStatus: 70, retryable: false },
};

const MARK = Symbol.for('reenact.AppError');

/** The one error type. `message` says what happened and where, `hint` what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = options.hint;
    Object.defineProperty(this, MARK, { value: true });
  }

  get retryable(): boolean {
    return ERROR_GROUPS[ERROR_CODES[this.code]].retryable;
  }

  get exitStatus(): number {
    return ERROR_GROUPS[ERROR_CODES[this.code]].exitStatus;
  }
}

/** True for an AppError, also one of another copy of this package. */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[MARK] === true;
}
