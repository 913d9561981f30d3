import type { Sandbox } from '@reenact/domain';
export interface LocalSandboxOptions {
    /** Where trials live while they run: private copies of subjects, request files. */
    workDirectory: string;
    /** What is kept between trials (facts about interpreters); default: inside the work directory. */
    cacheDirectory?: string;
    /** Interpreter of the trusted supervisor, Python ≥ 3.8; default `python3` on PATH. */
    supervisorPython?: string;
    /** Runs every trial without namespaces, as on a system that allows none; for tests. */
    forcePlain?: boolean;
}
/**
 * The sandbox of this machine: a Python supervisor in its own process runs each trial in Linux namespaces (without any
 * installed program) and writes the evidence.
 * `execute` throws AppError `unsandboxed-refused` where the system allows no namespaces and the request does not agree to
 * run without, and `interpreter-not-found` where the interpreter does not answer; every other failure of the platform is
 * an outcome `infra`.
 */
export declare function createLocalSandbox(given: LocalSandboxOptions): Sandbox;
//# sourceMappingURL=local-sandbox.d.ts.map