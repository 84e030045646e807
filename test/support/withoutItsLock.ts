import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineWorld } from './engineWorld';

/** Removes the lock of the session that the world's engine runs in, as if its process had been killed. Use a new engine afterwards. */
export async function withoutItsLock({ sessionsFolder, sessionId }: EngineWorld): Promise<void> {
  await rm(join(sessionsFolder, sessionId, 'run.lock'));
}
