import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EngineWorld } from './engineWorld';

/** Simulates another process running in the world's session until `end` is called. */
export async function otherWindow({ sessionsFolder, sessionId }: EngineWorld): Promise<{ end: () => Promise<void> }> {
  const lock = join(sessionsFolder, sessionId, 'run.lock');
  // A lock does not exclude its own process, so it names the parent process.
  await writeFile(lock, `${hostname()} ${process.ppid} other`);
  return { end: () => rm(lock) };
}
