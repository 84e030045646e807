import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  agentDefaults,
  AgentRuntimeBuilder,
  createEngine,
  defineAgent,
  type Engine,
  startRun,
} from '../../../src/library';
import { processTable } from '../../../src/node/processes/endWithUs';
import { type ModelServer, startModelServer } from '../../support/modelServer/modelServer';
import { processIn } from '../../support/processIn';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

const TALKERS = 14;
const RUNNERS = 6;
/** In milliseconds. */
const BUDGET = 1000;

/**
 * Usage: node cancelRows.mjs ROUNDS SCRATCH
 *
 * Cancels a run whose agent has started 20 others: 14 in the middle of an answer that streams over HTTP, and 6 in a shell command
 * that would take a minute. Measures the time from the cancel until the whole tree has ended: every run is over and no process is
 * left.
 */
async function measureCancelling(rounds: number, scratch: string): Promise<Row[]> {
  const server = await startModelServer([
    { when: ({ lastText }) => lastText === 'Talk.', step: { say: 'word '.repeat(4000), pauseMs: 20 } },
    {
      when: () => true,
      step: ({ lastText }) => ({
        call: [{ name: 'execute_command', arguments: { command: `sleep 60 & echo $! > ${lastText}; wait` } }],
      }),
    },
  ]);
  const times: number[] = [];
  try {
    for (let round = -1; round < rounds; round++) {
      const folder = path.join(scratch, `cancelled-${round}`);
      mkdirSync(folder, { recursive: true });
      const ms = await millisecondsOf(folder, server);
      if (round >= 0) times.push(ms);
    }
  } finally {
    await server.close();
  }
  const what = `cancelling a run with ${TALKERS + RUNNERS} sub-agents, until all is over`;
  return [{ what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 0, budget: BUDGET }];
}

async function millisecondsOf(folder: string, server: ModelServer): Promise<number> {
  const engine = engineOf(folder, server);
  try {
    const run = await startRun(engine, { input: 'Go.', agent: 'lead', workspace: folder, approvalMode: 'nothing' });
    const talking = new Set<string>();
    const allTalk = new Promise<void>((resolve) => {
      run.subscribe(({ type, sessionId }) => {
        if (type === 'text-delta' && talking.add(sessionId).size === TALKERS) resolve();
      });
    });
    const early = run.outcome.then((outcome) => Promise.reject(new Error(`Not cancelled: ${JSON.stringify(outcome)}`)));
    const readPid = (name: string) => processIn(() => readFile(path.join(folder, name), 'utf8'));
    const pids = await Promise.race([Promise.all(pidFiles().map(readPid)), early]);
    await Promise.race([allTalk, early]);
    early.catch(() => undefined);
    const began = performance.now();
    run.cancel();
    const { kind } = await run.outcome;
    while ((await processTable()).some(({ pid }) => pids.includes(pid)));
    if (kind !== 'cancelled') throw new Error(`The run ended as ${kind}.`);
    return performance.now() - began;
  } finally {
    await engine.shutDown();
  }
}

/** The files to which the commands write their process ids. */
function pidFiles(): string[] {
  return Array.from({ length: RUNNERS }, (_, number) => `pid-${number}.txt`);
}

function engineOf(folder: string, server: ModelServer): Engine {
  const worker = defineAgent({ name: 'worker', description: 'Works', mode: 'subagent', prompt: 'You work.' });
  const lead = defineAgent({
    name: 'lead',
    description: 'Leads',
    spawning: { ...agentDefaults().spawning, on: true, maxConcurrent: TALKERS + RUNNERS },
    loop: async ({ team, signal }) => {
      const prompts = [...Array.from({ length: TALKERS }, () => 'Talk.'), ...pidFiles()];
      const begun = prompts.map((prompt) => team.spawn({ agent: 'worker', prompt, callId: null }));
      const children = await Promise.all(begun);
      await Promise.all(children.map(({ id }) => team.wait(id, signal)));
      return undefined;
    },
  });
  const agents = new AgentRuntimeBuilder().catalog([lead, worker]).defaults({ model: 'openai:test-model' }).build();
  const env = { PATH: process.env['PATH'], OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
  return createEngine({ workspace: folder, configFolder: path.join(folder, 'config'), env, agents });
}

const [rounds = '', scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureCancelling(Number(rounds), scratch)));
