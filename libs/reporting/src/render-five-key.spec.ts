import { describe, expect, it } from 'vitest';
import { VerdictState } from '@reenact/domain/schemas';
import { renderFiveKey } from './render-five-key.js';
import { sampleVerdict } from './testing/sample-verdict.js';

describe('renderFiveKey', () => {
  it('has exactly the five keys, and cites what it rests on', () => {
    const record = renderFiveKey(sampleVerdict(), { script: 'import x\n', output: 'one\n\ntwo\n' });
    expect(Object.keys(record)).toEqual(['reproducible', 'evidence', 'steps', 'blocking_reason', 'reproduction_command']);
    expect(record).toMatchInlineSnapshot(`
      {
        "blocking_reason": "",
        "evidence": [
          "Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with the subject with the patch given; grade A, depth L6.",
          "rate: 3 of 3 trials (95 % interval 29–100 %)",
          "grade: A (real code, reported versions); depth: L6 (it fails here and passes with the fix or the good version)",
          "facet f1 shown, 3 of 3 trials (95 % interval 29–100 %): AttributeError: module 'numpy' has no attribute 'float'",
          "trial 0123456789ab-candidate-0, record 7: AttributeError: module 'numpy' has no attribute 'float'",
          "control fixed (the subject with the patch given): symptom gone (0 of 3). the same oracle stays silent",
          "control good (other environment): not run.",
          "integrity refuted prints-the-answer: a literal equals the text",
          "bundle sha256:abababababababababababababababababababababababababababababababab",
          "script sha256:681c4a1dedf36f846871799d147c8acb4de895bbb7eb4896cc0eccb88526f66a, 2 lines",
          "output: one",
          "output: two",
        ],
        "reproducible": true,
        "reproduction_command": "./reenact replay bundle.tar",
        "steps": [
          "mkdir bundle",
          "tar -xf bundle.tar -C bundle",
          "cd bundle",
          "sh run.sh",
        ],
      }
    `);
  });

  it.each(VerdictState.options)('says of %s whether it is reproducible, and why not', (verdict) => {
    const record = renderFiveKey(sampleVerdict({ verdict, reason: 'hardware: 8 GPUs' }), { script: '', output: '' });
    const isReproduced = ['reproduced', 'reproduced_uncontrolled', 'reproduced_unstable'].includes(verdict);
    expect(record.reproducible).toBe(isReproduced);
    expect(record.blocking_reason === '').toBe(isReproduced);
    if (!isReproduced) expect(record.blocking_reason).toBe(`${verdict}; hardware: 8 GPUs; missing: the version of CUDA`);
  });

  it('names no command where there is no bundle', () => {
    expect(renderFiveKey(sampleVerdict({ bundle: null }), { script: '', output: '' })).toMatchObject({
      steps: [],
      reproduction_command: '',
    });
  });
});
