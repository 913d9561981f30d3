import { describe, expect, it } from 'vitest';
import { allocationBytes } from './allocation-size.js';

describe('allocationBytes', () => {
  it.each([
    ['CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 4.00 GiB', 20 * 1024 ** 2],
    ['Tried to allocate 2 GiB', 2 * 1024 ** 3],
    ['Unable to allocate 262. TiB for an array with shape (6000000, 6000000)', 262 * 1024 ** 4],
    ['Unable to allocate 1.50 PiB', 1.5 * 1024 ** 5],
    ['Unable to allocate 8.00 KiB', 8 * 1024],
    ['failed to allocate 4.50G (4831838208 bytes)', null],
    ['failed to allocate 3 KB', 3_000],
    ['failed to allocate 3 MB', 3_000_000],
    ['failed to allocate 4.5GB', 4.5e9],
    ['failed to allocate 2 TB', 2e12],
    ['failed to allocate 2 PB', 2e15],
    ['failed to allocate request for 12 B', 12],
    ["DefaultCPUAllocator: can't allocate memory: you tried to allocate 1024 bytes. Error code 12", 1_024],
    ['Out of memory while trying to allocate 17179869184 bytes', 2 ** 34],
    ['OOM when allocating 64 bytes', 64],
    ['memory: 4.00 GiB', null],
    ['', null],
  ])('of %j: %s', (message, expected) => {
    expect(allocationBytes(message)).toBe(expected);
  });

  it('reads the first 4,096 characters', () => {
    const asked = 'Tried to allocate 2 GiB';
    expect(allocationBytes(asked.padStart(4_096))).toBe(2 * 1024 ** 3);
    expect(allocationBytes(asked.padStart(4_097))).toBeNull();
  });
});
