import { statSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../../editor/repoRoot';
import { testDurations } from './testDurations';

/** For estimating how long an unknown file takes. */
const BYTES_PER_SECOND = 5000;

export interface QueuedFile {
  readonly file: string;
  readonly bundle: string;
}

/** Orders test files from slowest to fastest, so that the run does not end by waiting for a slow one. */
export function testQueue(files: readonly string[], bundles: readonly string[]): QueuedFile[] {
  const known = testDurations.read();
  const seconds = (file: string): number =>
    known.get(file) ?? statSync(path.join(repoRoot, file)).size / BYTES_PER_SECOND;
  return files
    .map((file, index) => ({ file, bundle: bundles[index] ?? '' }))
    .sort((a, b) => seconds(b.file) - seconds(a.file));
}
