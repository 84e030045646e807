let last = 0;

/** Returns a prefixed id that sorts by creation: `run_mf3k2a1x0001f3a9`. Unique within a process and, through its random tail, beyond. */
export function newId(prefix: string): string {
  last = (last + 1) % 0x10000;
  const time = Date.now().toString(36).padStart(9, '0');
  const count = last.toString(16).padStart(4, '0');
  const random = Math.floor(Math.random() * 0x10000000)
    .toString(36)
    .padStart(6, '0');
  return `${prefix}_${time}${count}${random}`;
}

/**
 * Returns a random UUID (version 4) for names that must differ but need not be unguessable. The platform's implementation takes
 * about 3 ms to load, too much at startup.
 */
export function randomId(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) =>
    Math.floor(place === 'x' ? Math.random() * 16 : 8 + Math.random() * 4).toString(16),
  );
}
