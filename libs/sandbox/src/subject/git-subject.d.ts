/**
 * Checks out a git address into a directory, at the revision named, or at the last commit of the default branch before a
 * date. Nothing is asked on the terminal, no hook of the repository runs.
 *
 * @param reportDate ISO date; ignored where a revision is named.
 * @returns the full commit id.
 * @throws AppError `subject-not-found`, `subject-revision-not-found`.
 */
export declare function checkoutGit(address: {
    url: string;
    revision?: string | undefined;
}, directory: string, options: {
    reportDate: string | null;
    signal: AbortSignal;
}): Promise<string>;
//# sourceMappingURL=git-subject.d.ts.map