import type { SandboxProgress } from '@reenact/domain';
export interface SupervisorRun {
    python: string;
    argv: string[];
    signal: AbortSignal;
    onProgress: (progress: SandboxProgress) => void;
}
/** How the supervisor's process ended. */
export type SupervisorAnswer = {
    kind: 'done';
    evidencePath: string;
    scriptSeconds: number;
    isolation: string[];
} | {
    kind: 'error';
    code: string;
    message: string;
} | {
    kind: 'cancelled';
} | {
    kind: 'died';
    reason: string;
};
/**
 * Runs the supervisor and reads its JSON lines. Its standard input stays open for as long as this process lives: when it
 * closes, the supervisor kills the trial. It has a session of its own, so that a terminal's Ctrl-C reaches only this process. It runs isolated (`-I`), and nothing of this environment reaches a candidate.
 */
export declare function runSupervisor(run: SupervisorRun): Promise<SupervisorAnswer>;
//# sourceMappingURL=supervisor-process.d.ts.map