import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../../editor/repoRoot';
import type { FileResult } from '../suiteResult';

/** In the repository, so that a fresh clone has it too. */
const KEPT = path.join(repoRoot, 'test', 'tasks', 'suites', 'durations.json');

/** How many seconds each test file took when last saved (`npm test -- --keep-durations`). */
export const testDurations = {
  read(): ReadonlyMap<string, number> {
    const value: unknown = JSON.parse(readFileSync(KEPT, 'utf8'));
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return new Map(entries.map(([file, seconds]) => [file, Number(seconds)]));
  },

  /** Durations of other files stay. */
  keep(files: readonly FileResult[]): void {
    const all = new Map(testDurations.read());
    for (const { file, seconds } of files) all.set(file, Number(seconds.toFixed(1)));
    const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  },
};
