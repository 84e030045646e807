import { cpSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { programRows } from './programRows';
import type { Row } from './row';

/** Measures the tokens that each built-in agent sends before the conversation starts. */
export function measurePrompts(scratch: string): Promise<Row[]> {
  // The library reads its agents from a folder next to the one that contains the bundle.
  cpSync(path.join(repoRoot, 'assets'), path.join(scratch, 'assets'), { recursive: true });
  return programRows('promptRows', 1, scratch);
}
