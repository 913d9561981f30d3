import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { BisectAxis, Bisection, BisectionActivities, BisectionPoint } from '@reenact/domain';
import { findInterpreter, listPythons, listVersions } from '@reenact/environment';
import { plainLine } from '@reenact/reporting';
import { listCommits } from '@reenact/sandbox';
import { openRunFolder } from '@reenact/store';
import { withHeartbeat } from '@reenact/temporal/worker';
import { bisectionSentence, namedCulprit, nextProbe, probeState, readBundle, triedPoints } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { judgeOne } from '../judge-one.js';

/** Points travel through the workflow's history, whose messages are bounded; a longer one is cut by naming nearer ends. */
const MAX_POINTS = 5_000;
const MAX_LABEL = 80;
const SHORT_HASH = 12;

/** Where in a history a fault came in: what its points are, which one is tried next, and what comes of it. */
export function createBisectionActivities(deps: Dependencies): BisectionActivities {
  return {
    async listBisectionPoints({ axis, python }) {
      const points = await withHeartbeat(({ signal }) => pointsOf(deps, { axis, python }, signal));
      if (points.length < 2)
        throw new AppError('usage', `Between ${axis.good} and ${axis.bad} there is nothing to search.`, {
          hint: 'Both ends must be there, and differ.',
        });
      if (points.length > MAX_POINTS)
        throw new AppError(
          'usage',
          `Between ${axis.good} and ${axis.bad} there are ${points.length} points; at most ${MAX_POINTS} are searched.`,
          {
            hint: 'Name ends that are nearer to each other.',
          },
        );
      return { points };
    },
    planProbe: (state) => Promise.resolve(nextProbe(state)),
    async readProbe({ bundleTree, trial }) {
      const bundle = await readBundle(await deps.trees.pathOf(bundleTree));
      const records = await readTrialEvidence(deps.artifacts, trial);
      return probeState(judgeOne(bundle, trial, records), bundle.facets);
    },
    async publishBisection(input) {
      const { runId, bundleId, axis, points, results, conclusion } = input;
      const bisection: Bisection = {
        schemaVersion: 1,
        runId,
        bundleId,
        axis,
        status: conclusion.status,
        sentence: bisectionSentence(points, conclusion, results),
        culprit: namedCulprit(points, conclusion),
        contradictions: conclusion.contradictions.map((index) => points[index]?.label ?? ''),
        rate: input.rates.shown,
        points: points.length,
        tried: triedPoints(points, results),
        trials: conclusion.trials,
        seconds: input.seconds,
      };
      const folder = await openRunFolder(deps.stateDirectory, runId);
      await folder.write('bisection.json', `${JSON.stringify(bisection, null, 2)}\n`);
      return { status: bisection.status, sentence: bisection.sentence };
    },
  };
}

async function pointsOf(
  deps: Dependencies,
  { axis, python }: { axis: BisectAxis; python: string | null },
  signal: AbortSignal,
): Promise<BisectionPoint[]> {
  switch (axis.type) {
    case 'git':
      return commitsOf(deps, axis, signal);
    case 'distribution': {
      const asked = python === null ? null : await findInterpreter(python, deps.searchPath);
      return between(await listVersions(axis.name, asked ?? deps.interpreter, signal), axis, axis.name);
    }
    case 'python':
      return between(await listPythons(axis.good, axis.bad, deps.searchPath), axis, 'Python');
  }
}

async function commitsOf(deps: Dependencies, axis: BisectAxis & { type: 'git' }, signal: AbortSignal): Promise<BisectionPoint[]> {
  await mkdir(deps.workDirectory, { recursive: true });
  const scratch = await mkdtemp(path.join(deps.workDirectory, 'history-'));
  try {
    const range = { url: axis.url, from: axis.good, to: axis.bad };
    const commits = await listCommits(range, path.join(scratch, 'repository'), signal);
    return commits.map(({ commit, title }) => ({ value: commit, label: plainLine(`${commit.slice(0, SHORT_HASH)} ${title}`, MAX_LABEL) }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The part of an ordered list between the ends, from the good one to the bad one, whichever is older. */
function between(versions: string[], ends: { good: string; bad: string }, name: string): BisectionPoint[] {
  const indexOf = (version: string) => {
    const index = versions.indexOf(version);
    if (index === -1) throw new AppError('usage', `There is no ${name} ${version} here. There are: ${versions.slice(-12).join(', ')}.`);
    return index;
  };
  const [good, bad] = [indexOf(ends.good), indexOf(ends.bad)];
  const part = versions.slice(Math.min(good, bad), Math.max(good, bad) + 1);
  return (good <= bad ? part : part.toReversed()).map((version) => ({ value: version, label: `${name} ${version}` }));
}
