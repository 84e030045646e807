import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentSession, UserMessage } from '../../../src/engine';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { SessionCatalog } from '../../../src/engine/sessions/sessionCatalog';
import { nodePorts } from '../../../src/node/nodePorts';
import { median } from '../median';
import { ratioRow } from '../ratioRow';
import type { Row } from '../row';

const BUDGET = 1.2;
const SHORT = 10;
const LONG = 100_000;
/** Few enough that the short session, a new one in each round, stays short. */
const BLOCKS_IN_ROUND = 40;
const APPENDS_IN_BLOCK = 50;

/**
 * Usage: node sessionRows.mjs ROUNDS SCRATCH. Measures appending a message to a session that has many messages, and to one that
 * has few.
 */
async function measureSessions(rounds: number, scratch: string): Promise<Row[]> {
  const log = { info: () => undefined, warn: failing, error: failing };
  const ports = nodePorts({ env: {}, ripgrepCandidates: [], log });
  const root = path.join(scratch, 'sessions');
  const store = new FileSessionStore(root, ports);
  const catalog = new SessionCatalog(store, ports.clock, log);
  const long = await catalog.open(await sessionOf(LONG, root, store));
  if (long.messages.length !== LONG) throw new Error(`The long session has ${long.messages.length} messages.`);
  const costs = { short: new Array<number>(), long: new Array<number>() };
  for (let round = -2; round < rounds; round++) {
    const short = await catalog.open(await sessionOf(SHORT, root, store));
    const cost = await appendByTurns(short, long);
    if (round < 0) continue;
    costs.short.push(cost.short);
    costs.long.push(cost.long);
  }
  return [
    ratioRow('one more message in a session of 100,000, to one of 10', costs.long, costs.short, BUDGET),
    { what: 'one more message in a session of 100,000', value: median(costs.long) * 1000, unit: 'µs', digits: 0 },
  ];
}

/**
 * Returns the milliseconds per append in each session: the median of many small, alternating blocks, so that both see the same
 * load on the machine and a block with a disk flush or a garbage collection does not affect either.
 */
async function appendByTurns(short: AgentSession, long: AgentSession): Promise<{ short: number; long: number }> {
  const blocks = { short: new Array<number>(), long: new Array<number>() };
  for (let block = 0; block < BLOCKS_IN_ROUND; block++) {
    const first = block % 2 === 0;
    if (first) blocks.short.push(await appendBlock(short));
    blocks.long.push(await appendBlock(long));
    if (!first) blocks.short.push(await appendBlock(short));
  }
  return { short: median(blocks.short), long: median(blocks.long) };
}

async function appendBlock(session: AgentSession): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < APPENDS_IN_BLOCK; index++) await session.add(messageOf(index));
  return (performance.now() - began) / APPENDS_IN_BLOCK;
}

/** Writes a session with this many messages to disk in one go and returns its id. */
async function sessionOf(messages: number, root: string, store: FileSessionStore): Promise<string> {
  const fresh = { workspace: root, model: null, approvalMode: 'edits-and-commands', name: null } as const;
  const { id } = await store.create(fresh);
  const lines = Array.from({ length: messages }, (_, index) =>
    JSON.stringify({ type: 'message', message: messageOf(index) }),
  );
  mkdirSync(path.join(root, id), { recursive: true });
  writeFileSync(path.join(root, id, 'history.jsonl'), `${lines.join('\n')}\n`);
  return id;
}

function failing(message: string): void {
  throw new Error(message);
}

function messageOf(index: number): UserMessage {
  const text = `Message ${index}: what a user says about the code in a sentence or two, no more than that.`;
  return { role: 'user', id: `message-${index}`, time: index, steering: false, parts: [{ type: 'text', text }] };
}

const [rounds = '', scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureSessions(Number(rounds), scratch)));
