/**
 * A random UUID (version 4), for names that have to differ and nothing that has to stay unguessed. The platform's own is not
 * used: its library takes some 3 ms to load, and a start has not many.
 */
export function randomId(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) =>
    Math.floor(place === 'x' ? Math.random() * 16 : 8 + Math.random() * 4).toString(16),
  );
}
