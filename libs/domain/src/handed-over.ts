/**
 * Reason of a signal that was aborted because this process ends, while the trial is still wanted: a sandbox whose trials live elsewhere
 * lets it run on, for whoever asks for the same execution next.
 */
export const HANDED_OVER = 'handed-over';
