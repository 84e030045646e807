import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  agentDefaults,
  AgentRuntimeBuilder,
  createEngine,
  defineAgent,
  type Provider,
  startRun,
} from '../../../src/library';
import { collectGarbage } from '../../support/collectGarbage';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

const CHILDREN = 100;

/**
 * Usage: node childRows.mjs ROUNDS SCRATCH
 *
 * An agent starts 100 others at once, each of which makes a request to a model that answers immediately, and waits for all of
 * them. The time is that of the whole run. The memory is the growth of the process from before the run until all 100 wait for the
 * model, both after garbage collection; it is measured in a separate run, in which the model waits until all have made their
 * request. The memory that remains is measured the same way, once all 100 are done but their parent is not.
 */
async function measureChildren(rounds: number, scratch: string): Promise<Row[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  const rests: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const ms = await millisecondsOf(path.join(scratch, `children-time-${round}`));
    const { most, rest } = await megabytesOf(path.join(scratch, `children-memory-${round}`));
    if (round < 0) continue;
    times.push(ms / CHILDREN);
    sizes.push(most / CHILDREN);
    rests.push(rest / CHILDREN);
  }
  const what = `a sub-agent of ${CHILDREN} at once`;
  return [
    { what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 1 },
    { what: `${what}, memory`, value: median(sizes), range: rangeOf(sizes), unit: 'MB', digits: 3 },
    { what: `${what}, memory once it is done`, value: median(rests), range: rangeOf(rests), unit: 'MB', digits: 3 },
  ];
}

async function millisecondsOf(folder: string): Promise<number> {
  const began = performance.now();
  const nothing = () => Promise.resolve();
  await spawnAll(folder, nothing, nothing);
  return performance.now() - began;
}

async function megabytesOf(folder: string): Promise<{ most: number; rest: number }> {
  let waiting = 0;
  let most = 0;
  let rest = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = await held();
  const asked = async () => {
    if (++waiting === CHILDREN) {
      most = await held();
      release();
    }
    await released;
  };
  await spawnAll(folder, asked, async () => {
    rest = await held();
  });
  return { most: (most - before) / 1e6, rest: (rest - before) / 1e6 };
}

/** Returns the heap and external memory of the process in bytes, after garbage collection. */
async function held(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Awaits `asked` on each request before answering it, and `done` once all agents have finished. */
async function spawnAll(folder: string, asked: () => Promise<void>, done: () => Promise<void>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const worker = defineAgent({ name: 'worker', description: 'Works', mode: 'subagent', prompt: 'You work.' });
  const lead = defineAgent({
    name: 'lead',
    description: 'Leads',
    spawning: { ...agentDefaults().spawning, on: true, maxConcurrent: CHILDREN },
    loop: async ({ team, signal }) => {
      const request = { agent: 'worker', prompt: 'Say a word.', callId: null };
      const started = await Promise.all(Array.from({ length: CHILDREN }, () => team.spawn(request)));
      const reports = await Promise.all(started.map(({ id }) => team.wait(id, signal)));
      await done();
      return String(reports.filter(({ output }) => output === 'Done.').length);
    },
  });
  const agents = new AgentRuntimeBuilder().catalog([lead, worker]).defaults({ model: 'instant:any' }).build();
  const engine = createEngine({ workspace: folder, configFolder: path.join(folder, 'config'), env: {}, agents });
  engine.registerProvider(instantProvider(asked));
  try {
    const run = await startRun(engine, { input: 'Go.', agent: 'lead', workspace: folder, approvalMode: 'nothing' });
    const outcome = await run.outcome;
    if (outcome.kind === 'completed' && outcome.answer === String(CHILDREN)) return;
    throw new Error(`Not all agents answered: ${JSON.stringify(outcome)}`);
  } finally {
    await engine.shutDown();
  }
}

function instantProvider(asked: () => Promise<void>): Provider {
  return {
    id: 'instant',
    label: 'Instant',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream() {
        await asked();
        yield { type: 'text-delta', text: 'Done.' };
        yield { type: 'finished', reason: 'stop' };
      },
    }),
  };
}

const [rounds = '', scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureChildren(Number(rounds), scratch)));
