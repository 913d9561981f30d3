import type { ArtifactStore, Subject, SubjectAddress } from '@reenact/domain';
export interface SubjectDeps {
    store: ArtifactStore;
    /** Where private copies are made; emptied after use. */
    workDirectory: string;
    /** Python with pip, for a distribution as subject. */
    interpreter: string;
}
/**
 * Freezes the subject named by an address as a tree in the store. The user's folder is only read.
 *
 * @throws AppError `subject-not-found`, `subject-revision-not-found`.
 */
export declare function prepareSubject(deps: SubjectDeps, address: SubjectAddress, options: {
    reportDate: string | null;
    signal: AbortSignal;
}): Promise<Subject>;
/** The address as a person would write it. */
export declare function describeAddress(address: SubjectAddress): string;
//# sourceMappingURL=prepare-subject.d.ts.map