/** Bounds of what is read from one report; all parsing is linear in `maxCharacters`. */
export interface ReportLimits {
  /** Characters of the report that are kept; three quarters from its beginning, one quarter from its end. */
  maxCharacters: number;
  /** Lines that are kept, shared between beginning and end in the same way. */
  maxLines: number;
  /** Characters of one line that are kept. */
  maxLineCharacters: number;
  /** Entries of each list of the report. */
  maxItems: number;
}

/** Defaults: a report of 400 000 characters holds any discussion thread that people read; longer input is a log. */
export const DEFAULT_REPORT_LIMITS: ReportLimits = { maxCharacters: 400_000, maxLines: 16_000, maxLineCharacters: 2_000, maxItems: 500 };
