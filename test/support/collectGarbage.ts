import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has Node give back the memory that nothing holds. What was looked at in this turn of the event loop counts as held. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('Node gives no way to collect garbage.');
  await new Promise((resolve) => setImmediate(resolve));
  Reflect.apply(collect, undefined, []);
}
