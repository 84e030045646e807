import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineWorld } from './engineWorld';

/** The world's engine no longer has the session it runs in, as when its process is killed. Give it a new engine then. */
export async function withoutItsLock({ sessionsFolder, sessionId }: EngineWorld): Promise<void> {
  await rm(join(sessionsFolder, sessionId, 'run.lock'));
}
