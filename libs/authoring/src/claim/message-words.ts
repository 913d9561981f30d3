/** Words that carry no content or that people put in place of the message's own words. */
const COMMON = new Set(
  (
    'about above after again against all also among and another any are because been before being between both but can cannot could did does doing done down during each either else even ever every few from further ' +
    'get gets getting give given gives goes going got had has have having here how into its itself just kind least less like made make makes many may might mine more most much must near neither never none nor not ' +
    'nothing now off once one only onto other our ours out over own part rather really same saying says seems several shall should since some something somehow somewhere such than that the their them then there these ' +
    'they thing things this those through thus too under until upon use used uses using very via want was were what when where whether which while who whole whose why will with within without would you your ' +
    // What every error is called.
    'error errors exception exceptions message messages text traceback object objects value values type types kind long short named called line lines failure problem issue complaint reason somebody certain ' +
    'class classes function functions method methods module modules layer layers tensor tensors model models code project program script file files run runs call calls thrown raised raise raises throws ' +
    // Vocabulary that reporters paraphrase freely: requiring it would refuse true reproductions.
    'shape shapes size sizes sized dimension dimensions dimensional dim dims mismatch mismatched mismatching match matching matches wrong incompatible compatible different differing device devices number numbers count ' +
    'index indices indexing range bounds missing unexpected unknown invalid illegal bad allowed supported unsupported argument arguments parameter parameters keyword keywords input inputs output outputs able unable possible ' +
    'impossible expected expects expecting needs needed need required found find empty full large larger small smaller big bigger two three second first last part parts'
  ).split(' '),
);
const POSSESSIVE = /\b(?:ours?|my|mine|of us)\b/i;
const MOST_WORDS = 4;

/** Content words of a phrase that describes a message; parts about the reporter's own names ("a class of ours") are left out. */
export function messageWords(phrase: string): string[] {
  const parts = phrase.split(/,| and | or |\bnot being\b/i).filter((part) => !POSSESSIVE.test(part));
  const words = parts.flatMap((part) => part.match(/[A-Za-z_][A-Za-z0-9_]{3,40}/g) ?? []);
  const content = words.filter((word) => !COMMON.has(word.toLowerCase()));
  return [...new Set(content)].slice(0, MOST_WORDS);
}
