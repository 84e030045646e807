import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDispose } from '../../src/base/disposable';
import { type KnownServer, McpServers } from '../../src/engine/mcp/mcpServers';
import { nodeMcpConnector } from '../../src/node/mcp/nodeMcpConnector';
import { nodePorts } from '../../src/node/nodePorts';
import { repoRoot } from '../editor/repoRoot';
import { temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder';
import { withWorld } from './engineWorld';
import { isGone } from './isGone';
import { memorySignIns } from './memorySignIns';
import { aMoment } from './aMoment';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
/** The file of another program, to pass as `file`. */
export const PROGRAM_FILE = 'claude.json';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
/** A clock that stands still until it is moved forward. A sleep ends when its time has come. */
class StandingClock {
  private time = 1_000_000;
  private readonly sleepers = new Set<{ until: number; wake: () => void }>();

  now(): number {
    return this.time;
  }

  sleep(ms: number, stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.time + ms, wake: resolve };
      this.sleepers.add(sleeper);
      stop.addEventListener('abort', () => {
        this.sleepers.delete(sleeper);
        reject(new DOMException('', 'AbortError'));
      });
    });
  }

  /** The number of pending sleeps. */
  get sleeping(): number {
    return this.sleepers.size;
  }

  forward(ms: number): void {
    this.time += ms;
    for (const one of [...this.sleepers].filter(({ until }) => until <= this.time)) {
      this.sleepers.delete(one);
      one.wake();
    }
  }
}

export interface OneServer {
  servers: McpServers;
  clock: StandingClock;
  folder: TemporaryFolder;
  place: { workspace: string; isHeard: boolean };
  server: () => Promise<KnownServer>;
  /** The servers of another window. */
  another: (use: (servers: McpServers) => Promise<void>) => Promise<void>;
  /** The ids of all processes started so far. */
  started: () => Promise<number[]>;
  /** Changes the secret with that name, or deletes it. */
  setSecret: (name: string, value: string | undefined) => void;
  /** Changes the secret where it comes from, which nothing announces. */
  rotateSecret: (name: string, value: string) => void;
  /** How often secrets were requested where they come from. */
  requests: () => number;
  tools: () => Promise<{ names: string[]; notices: readonly string[] }>;
  /** What an agent receives from calling one of the server's tools, and the status. */
  call: (tool: string, input?: object) => Promise<{ text: string; status: string }>;
}

/** Runs `use` with a server `tides` that has that fault, configured by the user, by the workspace, or for another program. */
export async function withOneMcpServer(
  fault: string,
  use: (world: OneServer) => Promise<void>,
  more: object = {},
  file = 'config/mcp.json',
) {
  const folder = await temporaryFolder();
  const clock = new StandingClock();
  const record = join(folder.path, 'started');
  const launch = { command: process.execPath, args: [FAULTY, fault, record], cwd: repoRoot };
  await folder.write({ [file]: JSON.stringify({ mcpServers: { tides: { ...launch, ...more } } }) });
  // The value of `{{TIDES}}`.
  const secrets = new Map([['TIDES', 'moon-and-sun-4711']]);
  const read = new Map<string, string | undefined>();
  let requests = 0;
  const readOnce = (name: string) => {
    if (!read.has(name)) {
      read.set(name, secrets.get(name));
      requests++;
    }
    return Promise.resolve(read.get(name));
  };
  const listeners = new Set<() => void>();
  const make = () => {
    const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
    return new McpServers({
      configFolder: join(folder.path, 'config'),
      ports: { ...ports, clock, log },
      connector: () => Promise.resolve(connector),
      values: {
        secrets: { get: readOnce, forget: (name) => void read.delete(name) },
        onSecretsChange(listener) {
          listeners.add(listener);
          return onDispose(() => listeners.delete(listener));
        },
        environment: {},
        homeFolder: undefined,
      },
      howToAllow: (ids) => `Allow ${ids.join(', ')}.`,
      howToStart: (id) => `Start ${id}.`,
      howToSignIn: (id) => `Sign in to ${id}.`,
      programFiles: [{ path: join(folder.path, PROGRAM_FILE), folder: folder.path }],
    });
  };
  const servers = make();
  const another = async (work: (others: McpServers) => Promise<void>) => {
    const others = make();
    await work(others).finally(() => others.dispose());
  };
  const place = { workspace: folder.path, isHeard: true };
  const started = async () =>
    (await readFile(record, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  const server = async () => (await servers.list(place)).servers[0] ?? assert.fail('no server');
  const tools = async () => {
    const { tools: all, notices } = await servers.toolsFor(place, () => true);
    return { names: all.map(({ name }) => name), notices };
  };
  const setSecret = (name: string, value: string | undefined) => {
    if (value === undefined) secrets.delete(name);
    else secrets.set(name, value);
    read.delete(name);
    for (const one of listeners) one();
  };
  const call = async (tool: string, input: object = {}) => {
    const name = `mcp__tides__${tool}`;
    const story = [{ call: [{ name, arguments: { ...input } }] }, { say: 'Done.' }];
    let told: { text: string; status: string } | undefined;
    await withWorld({ story, agents: { toolSource: servers } }, async (world) => {
      const { events } = await world.play('go');
      const finished = events.find(({ type }) => type === 'tool-finished');
      if (finished?.type === 'tool-finished') told = finished.result;
    });
    return told ?? assert.fail('it was not called');
  };
  const rotateSecret = (name: string, value: string) => void secrets.set(name, value);
  try {
    const secretsOf = { setSecret, rotateSecret, requests: () => requests };
    await use({ servers, clock, folder, place, server, started, tools, call, another, ...secretsOf });
  } finally {
    await servers.dispose();
    await folder.remove();
  }
}

export async function untilGone(pid: number | undefined): Promise<void> {
  while (!isGone(pid ?? assert.fail())) await aMoment();
}

/** Moves the clock forward until the work is done. */
export async function hurried<T>(clock: OneServer['clock'], work: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const over = () => (state.isOver = true);
  work.then(over, over);
  while (!state.isOver) {
    clock.forward(5000);
    await new Promise(setImmediate);
  }
  return work;
}
