/**
 * Words that say that something is wrong, but not what: with grammar and politeness alone they leave nothing that a check could look
 * for, nor a model could guess.
 */
const VAGUE = new Set(
  (
    'a an and any anybody anymore anyone anything as at be been being but by can cannot could did do does doing done for from get gets getting give gives ' +
    'go goes going had happen happened happens has have help hello hey hi how i if in is it its just like me my no none not nothing of on or our ' +
    'out please properly run ran running runs see seem seems should so some somebody someone something sorry start started starting thank thanks ' +
    'that the their them there these they this those to today tried try trying use used using very was we were what when why will with ' +
    'would wrong you your anyhow always again after all also because since now here ' +
    'bad broke broken bug bugs correct correctly error errors expect expected fail failed failing fails failure fine fix intended issue issues ' +
    'odd ok okay problem problems right strange supposed trouble unexpected weird well work worked working works ' +
    'app application code example job model notebook program programme project repo repository script step thing things train trained training version t s m ve'
  ).split(' '),
);

/** Whether a sentence names no symptom beyond "it does not work"; code in it is what was run, not what was seen. */
export function isVague(sentence: string): boolean {
  const words = sentence.replace(/`[^`\n]*`/g, ' ').match(/\p{L}+|\p{N}+/gu) ?? [];
  return words.every((word) => VAGUE.has(word.toLowerCase()));
}
