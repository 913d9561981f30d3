import { cp } from 'node:fs/promises';
import { AppError, type Control } from '@reenact/domain';
import { applyPatch } from './apply-patch.js';

/**
 * Makes the changed subject of a control that is a patch: copies the pristine tree and applies the patch to the copy.
 * Controls of the kinds `tree` and `environment` need no change of the tree and are none of this function's business.
 * @param pristine tree of the subject, left as it is
 * @param copy absent or empty directory
 * @returns the paths that differ
 * @throws AppError `patch-does-not-apply`
 */
export async function preparePatchControl(pristine: string, copy: string, control: Extract<Control, { kind: 'patch' }>): Promise<string[]> {
  if (control.patch.trim() === '') throw new AppError('patch-does-not-apply', 'the patch is empty');
  // Links are copied as they are: a patch never writes through one.
  await cp(pristine, copy, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  return applyPatch(copy, control.patch);
}
