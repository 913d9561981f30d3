// A vitest in a process group of its own, so that a test without an end can be ended with all its children.
import { fork } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';

/**
 * @param {{ root: string, sources: string, mode: 'marks' | 'mutants' }} options
 * @returns runs one spec at a time; a worker that hangs or dies is replaced before the next
 */
export function createSpecRunner({ root, sources, mode }) {
  let worker = null;

  const start = async () => {
    const argv = [root, sources, mode];
    const child = fork(path.join(import.meta.dirname, 'worker.mjs'), argv, {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker = child;
    const answer = await answerOf(child, null);
    if (answer.ready !== true) throw new Error('the test runner does not start');
  };

  const stop = () => {
    try {
      if (worker) process.kill(-worker.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    worker = null;
  };

  /** @returns {Promise<{ failed: boolean, milliseconds: number, reached: string[] }>} without an end, or broken off: failed */
  const run = async (spec, mutant, limitSeconds) => {
    if (!worker) await start();
    worker.send({ spec, mutant });
    const answer = await answerOf(worker, limitSeconds);
    if (answer.lost) stop();
    return { failed: true, milliseconds: 0, reached: [], ...answer };
  };
  return { run, stop };
}

function answerOf(child, limitSeconds) {
  return new Promise((resolve) => {
    const timer = limitSeconds === null ? null : setTimeout(() => settle({ lost: true }), limitSeconds * 1_000);
    const onExit = () => settle({ lost: true });
    const settle = (answer) => {
      clearTimeout(timer);
      child.off('message', settle);
      child.off('exit', onExit);
      resolve(answer);
    };
    child.once('message', settle);
    child.once('exit', onExit);
  });
}
