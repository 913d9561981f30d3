import type { RerankCandidate, RerankQuery } from '@reenact/domain';

/** How a candidate fits the frames of a report's traces: the best of each, from 0 to 1. */
export function frameFeatures(
  frames: RerankQuery['frames'],
  candidate: RerankCandidate,
): { frameFile: number; frameFunction: number; frameLine: number } {
  const best = { frameFile: 0, frameFunction: 0, frameLine: 0 };
  for (const frame of frames) {
    const file = fileMatch(frame.file, candidate.file);
    if (file === 0) continue;
    best.frameFile = Math.max(best.frameFile, file);
    if (frame.function !== undefined && frame.function === candidate.name.slice(candidate.name.lastIndexOf('.') + 1))
      best.frameFunction = Math.max(best.frameFunction, file);
    if (frame.line !== undefined && frame.line >= candidate.startLine && frame.line <= candidate.endLine)
      best.frameLine = Math.max(best.frameLine, file);
  }
  return best;
}

/** 1 where one path ends with the whole other one, 0.5 where only the file's name is the same. */
function fileMatch(frameFile: string, file: string): number {
  const frame = frameFile.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  if (frame === file || frame.endsWith(`/${file}`) || (frame.includes('/') && file.endsWith(`/${frame}`))) return 1;
  return baseName(frame) === baseName(file) ? 0.5 : 0;
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
