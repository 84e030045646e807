import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/** The built worker that converts pages to Markdown. */
export const PAGE_WORKER = join(repoRoot, 'dist', 'web.js');
