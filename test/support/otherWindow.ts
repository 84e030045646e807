import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EngineWorld } from './engineWorld';

/** Another process that runs in the world's session, until it is ended. */
export async function otherWindow({ sessionsFolder, sessionId }: EngineWorld): Promise<{ end: () => Promise<void> }> {
  const lock = join(sessionsFolder, sessionId, 'run.lock');
  // Within one process the lock keeps nobody out, so it is that of the process that started this one.
  await writeFile(lock, `${hostname()} ${process.ppid} other`);
  return { end: () => rm(lock) };
}
