import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  agentDefaults,
  AgentRuntimeBuilder,
  createEngine,
  defineAgent,
  type Provider,
  startRun,
} from '../../../src/library';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

const CHILDREN = 100;

/**
 * Usage: node childRows.mjs ROUNDS SCRATCH
 *
 * An agent starts 100 others at once, each of which asks a model that answers at once, and waits for all of them. The time is
 * that of the whole run. The memory is what the process holds more while all 100 wait for the model than before the run, both
 * after a collection of garbage; it is measured in a run of its own, because there the model waits until all have asked.
 */
async function measureChildren(rounds: number, scratch: string): Promise<Row[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const ms = await millisecondsOf(path.join(scratch, `children-time-${round}`));
    const megabytes = await megabytesOf(path.join(scratch, `children-memory-${round}`));
    if (round < 0) continue;
    times.push(ms / CHILDREN);
    sizes.push(megabytes / CHILDREN);
  }
  const what = `a sub-agent of ${CHILDREN} at once`;
  return [
    { what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 1 },
    { what: `${what}, memory`, value: median(sizes), range: rangeOf(sizes), unit: 'MB', digits: 3 },
  ];
}

async function millisecondsOf(folder: string): Promise<number> {
  const began = performance.now();
  await spawnAll(folder, () => Promise.resolve());
  return performance.now() - began;
}

async function megabytesOf(folder: string): Promise<number> {
  let waiting = 0;
  let most = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = held();
  await spawnAll(folder, async () => {
    if (++waiting === CHILDREN) {
      most = held();
      release();
    }
    await released;
  });
  return (most - before) / 1e6;
}

/** Bytes that the process needs, after a collection of garbage. */
function held(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** `asked` is called with each question, and awaited before it is answered. */
async function spawnAll(folder: string, asked: () => Promise<void>): Promise<void> {
  const worker = defineAgent({ name: 'worker', description: 'Works', mode: 'subagent', prompt: 'You work.' });
  const lead = defineAgent({
    name: 'lead',
    description: 'Leads',
    spawning: { ...agentDefaults().spawning, on: true, maxConcurrent: CHILDREN },
    loop: async ({ team, signal }) => {
      const request = { agent: 'worker', prompt: 'Say a word.', callId: null };
      const started = await Promise.all(Array.from({ length: CHILDREN }, () => team.spawn(request)));
      const reports = await Promise.all(started.map(({ id }) => team.wait(id, signal)));
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
