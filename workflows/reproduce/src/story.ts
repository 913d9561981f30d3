import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { Phase, StoryLine, VerdictState } from '@reenact/domain';
import { core } from './policies.js';

const phaseKey = defineSearchAttributeKey('ReproPhase', SearchAttributeType.KEYWORD);
const outcomeKey = defineSearchAttributeKey('ReproOutcome', SearchAttributeType.KEYWORD);

/** Tells the run's story in three places at once: the store (live output, logs), the search attributes, the UI's details. */
export class Story {
  private readonly lines: string[] = [];
  private count = 0;
  phase: Phase = 'intake';

  constructor(
    private readonly runId: string,
    private readonly title: string,
    private readonly prefix: string,
  ) {}

  async tell(phase: Phase, message: string, more: Pick<StoryLine, 'state' | 'verdict'> = {}): Promise<void> {
    if (phase !== this.phase || more.verdict !== undefined) this.upsert(phase, more.verdict);
    this.phase = phase;
    this.lines.push(`- **${phase}** ${message}`);
    setCurrentDetails([`### ${this.title}`, ...this.lines.slice(-40)].join('\n'));
    await core.recordStory({ runId: this.runId, key: `${this.prefix}-${this.count++}`, phase, message, ...more });
  }

  private upsert(phase: Phase, verdict: VerdictState | undefined): void {
    const registered = workflowInfo().memo?.searchAttributes !== false;
    if (!registered) return;
    upsertSearchAttributes([{ key: phaseKey, value: phase }, ...(verdict === undefined ? [] : [{ key: outcomeKey, value: verdict }])]);
  }
}
