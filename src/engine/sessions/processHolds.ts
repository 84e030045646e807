import type { FileLock } from '../ports';

/** File locks only exclude other processes, so the holders within this process are tracked here, by lock path. */
const held = new Map<string, { owner: object; isHeld: () => boolean }>();

/** Acquires a lock for one owner within this process, such as an engine; null while another owner has it or is acquiring it. */
export async function lockHere(
  path: string,
  owner: object,
  take: (path: string) => Promise<FileLock | null>,
): Promise<FileLock | null> {
  if (isHeldBeside(path, owner)) return null;
  // Registered before the first await, so that no other owner can acquire it in the meantime.
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

/** Whether another owner in this process holds the lock or is acquiring it. */
export function isHeldBeside(path: string, owner: object): boolean {
  const found = held.get(path);
  return found !== undefined && found.owner !== owner && found.isHeld();
}
