import type { CoreActivities, StoryLine } from '@reenact/domain';
import { readReport } from '@reenact/report';
import type { Dependencies } from '../dependencies.js';
import { putJson } from '../json-artifacts.js';

/** Reading the report, and telling the run's story. */
export function createIntakeActivities(deps: Dependencies): Pick<CoreActivities, 'readReport' | 'recordStory'> {
  return {
    async readReport({ report }) {
      const read = readReport(await deps.artifacts.getBytes(report));
      return { report: await putJson(deps.artifacts, read), title: read.title, digest: read.digest, date: read.date };
    },
    async recordStory(line) {
      await deps.runs.appendEvent(line.runId, line.key, { at: new Date().toISOString(), phase: line.phase, message: line.message });
      await updateRun(deps, line);
    },
  };
}

async function updateRun(deps: Dependencies, line: StoryLine): Promise<void> {
  const row = await deps.runs.getRun(line.runId);
  if (row === null) return;
  await deps.runs.upsertRun({
    ...row,
    phase: line.phase,
    state: line.state ?? row.state,
    verdict: line.verdict ?? row.verdict,
    updatedAt: new Date().toISOString(),
  });
}
