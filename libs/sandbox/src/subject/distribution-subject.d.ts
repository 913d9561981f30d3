/**
 * Places the files of a distribution in a directory, without its dependencies, so that it can be the subject.
 *
 * @param interpreter the Python whose wheel tags decide; it needs pip.
 * @throws AppError `subject-not-found` when the index has no such version for that interpreter.
 */
export declare function installDistribution(distribution: {
    name: string;
    version?: string | undefined;
}, directory: string, options: {
    interpreter: string;
    signal: AbortSignal;
}): Promise<void>;
//# sourceMappingURL=distribution-subject.d.ts.map