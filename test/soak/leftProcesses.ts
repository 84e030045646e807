import { setTimeout } from 'node:timers/promises';
import { processesIn } from './processesIn';

/** After a kill, a watching process ends what was started. */
const WATCHED_MS = 15_000;

/** Returns a problem for each process, except expected ones, still working in a folder after it had time to end. */
export async function leftProcesses(folder: string, expected?: RegExp): Promise<string[]> {
  const end = performance.now() + WATCHED_MS;
  for (;;) {
    const left = (await processesIn(folder)).filter((line) => !expected?.test(line));
    if (left.length === 0) return [];
    if (performance.now() > end) return left.map((line) => `A process is left: ${line}`);
    await setTimeout(50);
  }
}
