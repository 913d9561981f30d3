/** What to ask for each thing that a report may lack, in the order of a report; the words are those of `Report.missing`. */
const QUESTIONS: readonly (readonly [missing: string, question: string])[] = [
  [
    'symptom',
    '**What happens**, word for word: the error with its whole traceback, or the number or line that is wrong.\n\n```\n\n```\n\n**What you expect instead**, and how often it happens (always, or in how many of how many runs):',
  ],
  ['command', '**How it is run**, from a fresh checkout:\n\n```sh\n\n```'],
  ['code', '**The smallest script that shows it** (no private data):\n\n```python\n\n```'],
  [
    'version',
    '**Versions**: what `python -m pip list` prints for the packages involved, and the last version without the fault if known:\n\n```\n\n```',
  ],
  ['environment', '**Environment**: `python -VV`, operating system, CPU only or which GPUs, number of processes:\n\n```\n\n```'],
  ['data', '**Data**: a few rows that may be shared, or how to make some of the same shapes and types:\n\n```python\n\n```'],
];

/**
 * The template that a reporter fills in: the exact list of what the report lacks (verdict.md section 5, `needs_info`). Fixed text, so
 * that nothing of the report can stand in it. Empty where nothing that we can ask for is missing.
 *
 * @param missing as in `Verdict.missing`; words without a question are left out.
 */
export function needsInfoTemplate(missing: readonly string[]): string {
  const asked = QUESTIONS.filter(([name]) => missing.includes(name)).map(([, question]) => question);
  return asked.length === 0 ? '' : ['To reproduce this, the following is missing:', ...asked].join('\n\n');
}
