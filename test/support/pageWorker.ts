import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/** The thread that turns pages into Markdown, as it is built. */
export const PAGE_WORKER = join(repoRoot, 'dist', 'web.js');
