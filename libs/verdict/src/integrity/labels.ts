/**
 * Where a value of a script may come from. Labels are a set of bits; they only ever grow, so that a name that could
 * carry something is taken to carry it.
 */
export type Labels = number;

/** The subject's code decided over it: a result, a state that it changed, or a branch that depends on one. */
export const FROM_SUBJECT: Labels = 1;
/** The text of the subject's source files decided over it. */
export const FROM_SOURCE: Labels = 2;
/** Names the subject: one of its files or modules, its folder, or code that imports it. */
export const NAMES_SUBJECT: Labels = 4;
/** Names one of the subject's Python files. */
export const NAMES_SOURCE: Labels = 8;
/** Something outside of the script had a say: a clock, a library, a random number. Not known to be the subject. */
export const IMPURE: Labels = 16;
/** The text or code of the subject's source, changed by the script: what it gives is not the subject's doing. */
export const EDITED: Labels = 32;
/** An object of a class of the script that gives answers of its own where the subject asks its input. */
export const IMITATION: Labels = 64;
/** The dictionary of names of a module, class or function that is not the script's: what is put in there replaces code. */
export const NAMESPACE: Labels = 128;

/** Whether a value cannot depend on anything but the script's own text. */
export function isConstant(labels: Labels): boolean {
  return (labels & (FROM_SUBJECT | FROM_SOURCE | IMPURE)) === 0;
}

export function has(labels: Labels, label: Labels): boolean {
  return (labels & label) !== 0;
}
