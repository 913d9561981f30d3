const NUMBERS: Record<string, number> = { two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 };
/** Runs that "a few times" and relatives stand for: enough that a result that differs in half of the runs shows with 97 % (1 − 2 · 0.5⁵ ≈ 0.94, 1 − 0.5⁵ ≈ 0.97). */
const SEVERAL = 5;
const MAX_REPEATS = 10;

/** How often a command is to be run, from the words after it ("a few times", "twice", "then the same again"); 1 where nothing is said. */
export function repeatsAfter(after: string): number {
  const text = after.slice(0, 240).replace(/\s+/g, ' ');
  // Words of a later sentence speak of what was seen, unless they order another run.
  const clause = /^[^.;]{0,240}/.exec(text)![0];
  const counted = /\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)(?: more)? (?:times|runs|starts)\b/i.exec(clause);
  if (counted) return Math.min(MAX_REPEATS, Math.max(1, NUMBERS[counted[1]!.toLowerCase()] ?? Number(counted[1])));
  if (/\b(?:(?:a )?few|several|multiple|many|some|a couple of) times\b|\brepeatedly\b/i.test(clause)) return SEVERAL;
  if (/\btwice\b|\ba second time\b|\bonce more\b/i.test(clause)) return 2;
  return ordersAgain(clause) ? 2 : 1;
}

/** Words that order the same command once more: "then the same again to resume", "rerun it", "run it again". */
export function ordersAgain(text: string): boolean {
  return /\b(?:the )?same (?:\w+ ){0,2}again\b|\b(?:run|start|call|launch|execute|do) (?:it|this|that|the \w{1,20}|the same \w{1,20}) (?:again|once more|a second time)\b|\bthen again (?:to|with)\b|\band again to\b|\b(?:then )?re-?(?:run|start|launch)(?: it| this| the (?:same )?\w{1,20})?(?: to\b|\.|,|$)|\brepeat (?:it|this|the command|step)\b/i.test(
    text.slice(0, 240),
  );
}

/** List items right after a command that only order it again: "3. run the same command again". */
export function againItems(after: string): number {
  const items = after.split(/\n\s{0,8}(?:\d{1,3}[.)]|[-*+])\s+/).slice(1);
  const first = items.findIndex(
    (item) =>
      !(
        ordersAgain(item) ||
        /^(?:run|start|launch|execute|call|do)?\s{0,2}(?:it|the same|this)?\s{0,2}(?:command|script)?\s{0,2}again\b|^repeat\b/i.test(item)
      ),
  );
  return Math.min(MAX_REPEATS, first === -1 ? items.length : first);
}

/** Words anywhere in a report that tell of a second start of the same command, such as going on from a checkpoint. */
export function tellsOfSecondStart(text: string): boolean {
  return /\bsame (?:command|script|call|line|run) (?:once )?(?:again|more|a second time)\b|\b(?:start|run|call|launch)(?:ed|ing|s)? (?:it|the (?:same )?(?:command|script|training|run|job)) (?:again|a second time|once more)\b|\b(?:second|next) (?:start|run|call) of (?:it|the same|train)\b|\bon the second (?:start|run|launch)\b/i.test(
    text.slice(0, 100_000),
  );
}
