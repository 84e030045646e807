import { setTimeout } from 'node:timers/promises';
import { processesIn } from './processesIn';

/** After a kill what was started is ended by what watches over it. */
const WATCHED_MS = 15_000;

/** A problem for each process, but for those expected, that still works in a folder when there was time for it to end. */
export async function leftProcesses(folder: string, expected?: RegExp): Promise<string[]> {
  const end = performance.now() + WATCHED_MS;
  for (;;) {
    const left = (await processesIn(folder)).filter((line) => !expected?.test(line));
    if (left.length === 0) return [];
    if (performance.now() > end) return left.map((line) => `A process is left: ${line}`);
    await setTimeout(50);
  }
}
