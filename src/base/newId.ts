let last = 0;

/** A prefixed id that sorts by creation: `run_mf3k2a1x0001f3a9`. Unique in a process and, by its random tail, beyond. */
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
 * A random UUID (version 4), for names that have to differ and nothing that has to stay unguessed. The platform's own is not
 * used: its library takes some 3 ms to load, and a start has not many.
 */
export function randomId(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) =>
    Math.floor(place === 'x' ? Math.random() * 16 : 8 + Math.random() * 4).toString(16),
  );
}
