import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AgentRuntimeBuilder, createEngine, defineAgent } from '../../../src/library';
import { openChat } from '../../support/openChat';
import { longAnswer } from '../../webview/support/longAnswer';
import type { Row } from '../row';
import { serveTokens } from './tokenModel';

const SIZE = 200_000;
const CHARACTERS = 4;
const PER_SECOND = 1_000;
const BUDGET = { cpuMs: 5_000, peakMib: 240 };
const MODEL = 'model';

/**
 * Usage: node streamRows.mjs ROUNDS SCRATCH
 *
 * Measures the host of one answer of 200 KB that a model in another process streams over HTTP, one token per event and a thousand
 * a second: the engine, the chat, and the serialization of each message to the panel. Reports the CPU time of the process during
 * the answer, its peak memory (VmHWM), and the number of messages to the panel.
 */
async function measureStream(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, 'stream');
  mkdirSync(folder, { recursive: true });
  const [, program = ''] = process.argv;
  const model = spawn(process.execPath, [program, MODEL], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const first: unknown[] = await once(model.stdout, 'data');
    return await measureAnswer(folder, String(first[0]).trim());
  } finally {
    model.stdin.end();
    await once(model, 'exit');
  }
}

async function measureAnswer(folder: string, url: string): Promise<Row[]> {
  const writer = defineAgent({ name: 'writer', description: 'Writes', prompt: 'You write.' });
  const agents = new AgentRuntimeBuilder().catalog([writer]).defaults({ model: 'openai:mock' }).build();
  const env = { OPENAI_API_KEY: 'mock', OPENAI_BASE_URL: url };
  const engine = createEngine({ workspace: folder, configFolder: path.join(folder, '.config'), env, agents });
  try {
    const fresh = { workspace: folder, model: 'openai:mock', approvalMode: 'nothing', name: 'Stream' } as const;
    const session = await engine.sessions.create({ ...fresh, agent: 'writer' });
    const chat = await openChat({ engine, sessionId: session.id });
    let messages = 0;
    let characters = 0;
    chat.onEvents((envelope) => {
      messages++;
      characters += JSON.stringify(envelope).length;
    });
    const before = process.cpuUsage();
    const { kind } = await chat.run({ text: 'Write.' }).outcome;
    const { user, system } = process.cpuUsage(before);
    const shown = chat.state.entries.find((entry) => entry.kind === 'text');
    if (kind !== 'completed' || shown?.text !== longAnswer(SIZE)) throw new Error(`The answer did not come: ${kind}`);
    if (characters < SIZE) throw new Error('The panel was not told all of it.');
    chat.dispose();
    return rowsOf((user + system) / 1000, messages);
  } finally {
    await engine.shutDown();
  }
}

function rowsOf(cpuMs: number, messages: number): Row[] {
  const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  const what = 'an answer of 200 KB, one token an event';
  return [
    { what: `${what}: CPU time of the host`, value: cpuMs, unit: 'ms', digits: 0, budget: BUDGET.cpuMs },
    { what: `${what}: peak memory of the host`, value: peak, unit: 'MiB', digits: 0, budget: BUDGET.peakMib },
    { what: `${what}: messages to the panel`, value: messages, unit: '', digits: 0 },
  ];
}

const [, , first = '', scratch = ''] = process.argv;
if (first === MODEL) serveTokens(longAnswer(SIZE), CHARACTERS, PER_SECOND);
else console.log(JSON.stringify(await measureStream(scratch)));
