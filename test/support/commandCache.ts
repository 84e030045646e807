import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/**
 * The environment in which runs of the built command share its compiled code, as those of one user do. Without it, each run in a
 * home of its own compiles everything again, which takes up to half of its time.
 */
export const COMMAND_CACHE = { XDG_CACHE_HOME: join(repoRoot, '.build', 'command-cache') };
