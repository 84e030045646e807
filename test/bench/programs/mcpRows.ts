import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { countTokens } from 'gpt-tokenizer';
import type { McpServer, SignInStore } from '../../../src/engine';
import { RunningServers } from '../../../src/engine/mcp/running/runningServers';
import { McpServers } from '../../../src/engine/mcp/mcpServers';
import { KnownSecrets } from '../../../src/engine/secrets/knownSecrets';
import { ToolRegistry } from '../../../src/engine/tools/toolRegistry';
import { toolSpecs } from '../../../src/engine/tools/toolSpecs';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { nodePorts } from '../../../src/node/nodePorts';
import { median, rangeOf } from '../median';
import { ratioRow } from '../ratioRow';
import type { Row } from '../row';

const ACQUIRES = 20_000;
const TOKEN_BUDGET = 600;
const { signal } = new AbortController();

const nobody: SignInStore = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
  hide: () => undefined,
  exclusively: (_, work) => work(),
};

function partsIn(configFolder: string) {
  const log = { info: () => undefined, warn: failing, error: failing };
  return {
    configFolder,
    ports: { ...nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log }), log },
    connector: () => Promise.resolve(nodeMcpConnector({ env: process.env, fetch, signIns: nobody })),
    values: { secrets: { get: () => Promise.resolve(undefined) }, environment: {}, homeFolder: undefined },
    howToAllow: String,
    howToStart: String,
    howToSignIn: String,
  };
}

function failing(message: string): void {
  throw new Error(message);
}

/**
 * Measures the first call to a server that is not running, and the next one, compared with a hand-written client; and taking a
 * running server from the pool.
 */
async function measureCalls(rounds: number, folder: string, program: string): Promise<Row[]> {
  const running = new RunningServers(partsIn(folder));
  const times = { cold: [] as number[], warm: [] as number[], coldFloor: [] as number[], warmFloor: [] as number[] };
  const work = { onProgress: () => undefined, signal, timeoutMs: 30_000 };
  const call = (server: McpServer) => running.use(server, (link) => link.callTool('tide_table_0', {}, work), signal);
  try {
    for (let round = -1; round < rounds; round++) {
      const ours = async () => {
        const server = serverOf(program, `${folder}/${round}`);
        return [await timeOf(() => call(server)), await timeOf(() => call(server))] as const;
      };
      const floor = () => callByHand(program);
      const [first, second] = round % 2 === 0 ? [ours, floor] : [floor, ours];
      const [one, other] = [await first(), await second()];
      const [cairn, hand] = round % 2 === 0 ? [one, other] : [other, one];
      if (round < 0) continue;
      times.cold.push(cairn[0]);
      times.warm.push(cairn[1]);
      times.coldFloor.push(hand[0]);
      times.warmFloor.push(hand[1]);
    }
    const server = serverOf(program, folder);
    await call(server);
    const taken: number[] = [];
    for (let at = 0; at < ACQUIRES; at++) taken.push(await timeOf(() => running.use(server, nothing, signal)));
    taken.sort((one, other) => one - other);
    const p99 = taken[Math.ceil(ACQUIRES * 0.99) - 1] ?? NaN;
    return [
      ratioRow('first call of an MCP server, to one written by hand', times.cold, times.coldFloor),
      valueRow('first call of an MCP server', times.cold),
      valueRow('first call, by hand', times.coldFloor),
      valueRow('next call', times.warm),
      valueRow('next call, by hand', times.warmFloor),
      { what: 'taking a server that runs from the pool, p99', value: p99 * 1000, unit: 'µs', digits: 0 },
    ];
  } finally {
    await running.dispose();
  }
}

const nothing = () => Promise.resolve();

function valueRow(what: string, values: readonly number[]): Row {
  return { what, value: median(values), range: rangeOf(values), unit: 'ms', digits: 2 };
}

function serverOf(program: string, cwd: string): McpServer {
  mkdirSync(cwd, { recursive: true });
  const launch = { type: 'stdio', command: process.execPath, args: [program, '14'], cwd, env: {} } as const;
  return { id: 'tides', name: 'tides', source: { path: cwd, line: 1 }, scope: 'person', launch, offerOf: {} };
}

/** The minimum that a client can do: a process, the handshake, and two calls. */
async function callByHand(program: string): Promise<readonly [number, number]> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, '14'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await lines.next();
  };
  await ask(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'hand', version: '1' },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask(1, 'tools/call', { name: 'tide_table_0', arguments: {} });
  const cold = performance.now() - began;
  const warm = await timeOf(() => ask(2, 'tools/call', { name: 'tide_table_0', arguments: {} }));
  child.stdin.end();
  await once(child, 'exit');
  return [cold, warm];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures the tokens that 181 tools add to each request: from one server, from 13, and from 60 small ones. */
async function measureTokens(scratch: string, program: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [count, each] of [
    [1, 181],
    [13, 14],
    [60, 3],
  ] as const) {
    const folder = path.join(scratch, `mcp-tokens-${count}`);
    const sizes = Array.from({ length: count }, (_, at) => (at === 0 ? 181 - each * (count - 1) : each));
    const launch = (size: number) => ({ command: process.execPath, args: [program, String(size)], cwd: folder });
    const entries = sizes.map((size, at) => [`harbour${at}`, launch(size)] as const);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries<object>(entries) }));
    const servers = new McpServers(partsIn(folder));
    try {
      const place = { workspace: folder, isHeard: true };
      for (const server of (await servers.list(place)).servers) await servers.check(server, signal);
      const { tools } = await servers.toolsFor(place, () => true);
      const value = countTokens(JSON.stringify(toolSpecs(new ToolRegistry(tools))));
      const what = `what models are told of 181 tools of ${count === 1 ? 'one server' : `${count} servers`}`;
      rows.push({ what, value, unit: 'tokens', digits: 0, budget: TOKEN_BUDGET });
    } finally {
      await servers.dispose();
    }
  }
  return rows;
}

/**
 * Measures redacting a 10 MB log that contains some of 20 secrets, as a whole and in chunks as commands write them, compared with
 * a regular expression of the plain values.
 */
function measureRedaction(rounds: number): Row[] {
  const values = Array.from({ length: 20 }, (_, at) => `sk-live-${at}-${'Zq7Wx9KvJy4Bn2Rt8Lp5'.slice(at % 5)}`);
  const known = new KnownSecrets({ get: () => Promise.resolve(undefined), hidden: () => values });
  const line = (at: number) =>
    `2026-11-26T02:33:42.123Z request ${at} of https://api.example/v1/items?page=${at} took ${at % 97} ms${at % 500 === 0 ? ` token=${values[at % 20] ?? ''}` : ''}\n`;
  let log = '';
  for (let at = 0; log.length < 10_000_000; at++) log += line(at);
  const pieces = Array.from({ length: Math.ceil(log.length / 65_536) }, (_, at) =>
    log.slice(at * 65_536, (at + 1) * 65_536),
  );
  const plain = new RegExp(values.map((value) => value.replaceAll('-', '\\-')).join('|'), 'g');
  const times = { whole: [] as number[], pieces: [] as number[], floor: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const took = (into: number[], strike: () => string) => {
      const began = performance.now();
      const struck = strike();
      const time = performance.now() - began;
      if (struck.includes('Zq7Wx')) throw new Error('A secret was left.');
      if (round >= 0) into.push(time);
    };
    took(times.floor, () => log.replace(plain, '•••'));
    took(times.whole, () => known.strike(log));
    took(times.pieces, () => {
      const stream = known.stream();
      return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
    });
  }
  return [
    ratioRow('striking 20 secrets out of 10 MB, to a regular expression', times.whole, times.floor),
    valueRow('striking 20 secrets out of 10 MB', times.whole),
    valueRow('the same in pieces of 64 KB', times.pieces),
    valueRow('the same by a regular expression of the bare values', times.floor),
  ];
}

/** Usage: node mcpRows.mjs ROUNDS SCRATCH, with manyTools.mjs in SCRATCH. */
const [rounds = '', scratch = ''] = process.argv.slice(2);
const program = path.join(scratch, 'manyTools.mjs');
console.log(
  JSON.stringify([
    ...(await measureCalls(Number(rounds), path.join(scratch, 'mcp-calls'), program)),
    ...(await measureTokens(scratch, program)),
    ...measureRedaction(Number(rounds)),
  ]),
);
