import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  AgentRuntimeBuilder,
  createEngine,
  defineAgent,
  type LlmEvent,
  type LlmRequest,
  type Provider,
  startRun,
} from '../../../src/library';
import type { Row } from '../row';

const ROUNDS = 200;
/** The content of each file that is read: 20 kB. */
const TEXT = `${'some words of a file '.repeat(47)}\n`.repeat(20);

/**
 * Usage: node prefixRows.mjs ROUNDS SCRATCH
 *
 * One message leads to a run of 200 rounds, each of which reads a file of 20 kB. Counts the leading characters of every request,
 * including prompt and tools, that match the request before it: what a vendor's prompt cache can reuse.
 */
async function measurePrefix(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, 'prefix');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < ROUNDS; at++) writeFileSync(path.join(folder, `f${at}.txt`), TEXT);
  const reader = defineAgent({ name: 'reader', description: 'Reads', prompt: 'You read.' });
  const agents = new AgentRuntimeBuilder().catalog([reader]).defaults({ model: 'reading:any' }).build();
  const engine = createEngine({ workspace: folder, configFolder: path.join(folder, '.config'), env: {}, agents });
  const seen: string[][] = [];
  engine.registerProvider(readingProvider(seen));
  try {
    const run = await startRun(engine, {
      input: 'Read.',
      agent: 'reader',
      workspace: folder,
      approvalMode: 'nothing',
      limits: { turns: 2 * ROUNDS },
    });
    const outcome = await run.outcome;
    if (outcome.kind !== 'completed') throw new Error(`The run ended otherwise: ${JSON.stringify(outcome)}`);
  } finally {
    await engine.shutDown();
  }
  let all = 0;
  let same = 0;
  let broken = 0;
  for (const [at, parts] of seen.entries()) {
    const before = seen[at - 1] ?? [];
    const differs = before.findIndex((part, index) => part !== parts[index]);
    all += lengthOf(before);
    same += lengthOf(differs < 0 ? before : before.slice(0, differs));
    if (differs >= 0) broken++;
  }
  return [
    {
      what: `a run of ${ROUNDS} rounds: of a request, what the next one begins with`,
      value: (100 * same) / all,
      unit: '%',
      digits: 1,
    },
    {
      what: 'its requests that begin otherwise than the one before',
      value: broken,
      unit: '',
      digits: 0,
      budget: ROUNDS / 10,
    },
    { what: 'its requests', value: seen.length, unit: '', digits: 0 },
  ];
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function readingProvider(seen: string[][]): Provider {
  let round = 0;
  return {
    id: 'reading',
    label: 'Reading',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream({ system, tools, messages }: LlmRequest): AsyncGenerator<LlmEvent> {
        seen.push([JSON.stringify(tools), system, ...messages.map((message) => JSON.stringify(message))]);
        const isSummary = messages.at(-1)?.role === 'user' && messages.length > 1;
        if (isSummary || round === ROUNDS) {
          yield { type: 'text-delta', text: isSummary ? 'NOTES' : 'Read.' };
          yield { type: 'finished', reason: 'stop' };
          return;
        }
        const call = { id: `call-${round}`, name: 'fs_read', arguments: JSON.stringify({ path: `f${round++}.txt` }) };
        yield { type: 'tool-call-started', id: call.id, name: call.name };
        yield { type: 'tool-call', call };
        yield { type: 'finished', reason: 'tool-calls' };
      },
    }),
  };
}

const [, scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measurePrefix(scratch)));
