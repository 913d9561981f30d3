import type { DataConverter } from '@temporalio/common';

/**
 * The one data converter of client and worker; both must use the same. Payloads are plain JSON today: compression, encryption and
 * external storage hang in here (temporal.md section 8).
 */
export function dataConverter(): DataConverter {
  return {};
}
