import { cpSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { programRows } from './programRows';
import type { Row } from './row';

/** What each built-in agent sends before anything is said, in tokens. */
export function measurePrompts(scratch: string): Promise<Row[]> {
  // The library reads its agents beside the folder that it was bundled into.
  cpSync(path.join(repoRoot, 'assets'), path.join(scratch, 'assets'), { recursive: true });
  return programRows('promptRows', 1, scratch);
}
