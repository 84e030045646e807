import type { FileLock } from '../ports';

/** Locks keep out other processes alone, so what is held in this one is known here, by the path of its lock. */
const held = new Map<string, { owner: object; isHeld: () => boolean }>();

/** Takes the lock of a path for one of those who share this process, such as an engine; null while another of them has it, or takes it. */
export async function lockHere(
  path: string,
  owner: object,
  take: (path: string) => Promise<FileLock | null>,
): Promise<FileLock | null> {
  if (isHeldBeside(path, owner)) return null;
  // Before anything is waited for, so that nobody else takes it meanwhile.
  const mine = { owner, isHeld: () => true };
  held.set(path, mine);
  const letGo = () => {
    if (held.get(path) === mine) held.delete(path);
  };
  let lock: FileLock | null = null;
  try {
    lock = await take(path);
  } finally {
    if (!lock) letGo();
  }
  if (!lock) return null;
  const taken = lock;
  mine.isHeld = () => taken.isHeld();
  return { isHeld: mine.isHeld, release: () => taken.release().finally(letGo) };
}

/** Somebody else of this process has it, or takes it just now. */
export function isHeldBeside(path: string, owner: object): boolean {
  const found = held.get(path);
  return found !== undefined && found.owner !== owner && found.isHeld();
}
