import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Phase } from '@reenact/domain';

export interface RunStatus {
  phase: Phase;
  context: number;
  attempt: number;
  attempts: number;
  hints: number;
  /** What the run is doing or waiting for, in words. */
  doing: string;
}

/** A hint for the model, taken into the next prompt. Answers how many there are. */
export const addHint = defineUpdate<number, [{ text: string; author: string }]>('addHint');
/** More attempts per context, from now on. Answers the new number. */
export const grantAttempts = defineUpdate<number, [{ extra: number }]>('grantAttempts');
/** Stops the run and waits until its verdict is written. */
export const stop = defineUpdate<string, [{ reason: string }]>('stop');
export const getStatus = defineQuery<RunStatus>('getStatus');

/** From the run to the loop over its present context. */
export const hintGiven = defineSignal<[string]>('hintGiven');
export const attemptsGranted = defineSignal<[number]>('attemptsGranted');
