import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Makes Node collect garbage. Anything accessed in this turn of the event loop still counts as reachable. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('Node gives no way to collect garbage.');
  await new Promise((resolve) => setImmediate(resolve));
  Reflect.apply(collect, undefined, []);
}
