export interface CopiedTree {
    fileCount: number;
    byteCount: number;
    /** What was left out or needs a word, each with its path. */
    notes: string[];
}
/**
 * Copies a folder for a snapshot: dirty and untracked files too, without version control and caches. The source is only
 * read. Big files, links that lead outside, sockets and devices stay out and are named; large-file pointers are named.
 */
export declare function copyTree(source: string, target: string): Promise<CopiedTree>;
//# sourceMappingURL=copy-tree.d.ts.map