import { z } from 'zod';
import { contentId } from '@reenact/domain';
import { Candidate } from '@reenact/domain/schemas';
import type { CutResult, MinimiseActivities } from '@reenact/domain';
import { applyCuts, listCuts, nextCut, sizeOf, weighCut } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { getJson, putJson } from '../json-artifacts.js';

const Pair = z.tuple([z.int(), z.int()]);
const CutLog = z.array(
  z.object({ keeps: z.boolean(), variant: z.object({ removed: z.array(z.int()), numbers: z.array(Pair), ranks: z.array(Pair) }) }),
);

/** The smallest script and settings that keep a bundle's fault. */
export function createMinimiseActivities(deps: Dependencies): MinimiseActivities {
  return {
    async planCut({ candidate, log, result, maxTests }) {
      const whole = await getJson(deps.artifacts, candidate, Candidate);
      const before: CutResult[] = log === null ? [] : await getJson(deps.artifacts, log, CutLog);
      const results = result === null ? before : [...before, result];
      const step = nextCut(whole, listCuts(deps.python, whole), results, maxTests);
      return { ...step, log: await putJson(deps.artifacts, results), tests: results.length };
    },
    async applyCut({ candidate, variant }) {
      const whole = await getJson(deps.artifacts, candidate, Candidate);
      const cut = applyCuts(whole, listCuts(deps.python, whole), variant);
      const named = { ...cut, id: contentId({ files: cut.files, launch: cut.launch }).slice(0, 12) };
      return { candidate: await putJson(deps.artifacts, named), size: sizeOf(cut) };
    },
    weighCut: ({ states, rate }) => Promise.resolve(weighCut(states, rate)),
  };
}
