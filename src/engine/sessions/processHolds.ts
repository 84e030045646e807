import type { FileLock } from '../ports';

/** Locks keep out other processes alone, so what is held in this one is known here, by the path of its lock. */
const held = new Map<string, { owner: object; lock: FileLock }>();

/** From now on nobody else in this process has it, until `letGoHere` or until the lock is taken away. */
export function holdHere(path: string, owner: object, lock: FileLock): void {
  held.set(path, { owner, lock });
}

export function letGoHere(path: string, lock: FileLock): void {
  if (held.get(path)?.lock === lock) held.delete(path);
}

/** Somebody else of this process has it, such as another engine. */
export function isHeldBeside(path: string, owner: object): boolean {
  const found = held.get(path);
  return found !== undefined && found.owner !== owner && found.lock.isHeld();
}
