import { statSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../../editor/repoRoot';
import { testDurations } from './testDurations';

/** About what a file takes that is not known yet. */
const BYTES_PER_SECOND = 5000;

export interface QueuedFile {
  readonly file: string;
  readonly bundle: string;
}

/** Test files, those that took longest first, so that at the end nobody waits for a long one. */
export function testQueue(files: readonly string[], bundles: readonly string[]): QueuedFile[] {
  const known = testDurations.read();
  const seconds = (file: string): number =>
    known.get(file) ?? statSync(path.join(repoRoot, file)).size / BYTES_PER_SECOND;
  return files
    .map((file, index) => ({ file, bundle: bundles[index] ?? '' }))
    .sort((a, b) => seconds(b.file) - seconds(a.file));
}
