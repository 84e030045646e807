import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../editor/cleanEnvironment';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { benchWorkspace } from './benchWorkspace';
import { bundlePrograms } from './bundlePrograms';
import { InstantModelServer } from './instantModelServer';
import { median, rangeOf } from './median';
import { programRows } from './programRows';
import type { Row } from './row';
import { type Program, type RunCost, type RunPlaces, runProgram } from './runProgram';
import type { StagedPackage } from './stagedPackage';

/** With 14 tools each, except for the first, which has 13, they have 181 tools. */
const SERVERS = 13;
const BUDGET_MS = 5;

/**
 * Measures what MCP servers cost: runs of the command that call none of them, in rotation with no servers, with 13 configured and
 * known servers, and with one of those replaced by an unknown server that never answers; then what `programs/mcpRows.ts`
 * measures. One extra, uncounted round warms up.
 */
export async function measureMcp({ dist }: StagedPackage, rounds: number, scratch: string): Promise<Row[]> {
  const server = path.join(scratch, 'manyTools.mjs');
  copyFileSync(path.join(repoRoot, 'test', 'fixtures', 'mcp', 'manyTools.mjs'), server);
  const main = path.join(dist, 'cairn.mjs');
  const launch = (...args: string[]) => ({ command: process.execPath, args: [server, ...args] });
  // Servers with the same launch would share one manifest.
  const known = Array.from({ length: SERVERS }, (_, at) => {
    const id = `harbour${at}`;
    return [id, launch(at === 0 ? '13' : '14', '', id)] as const;
  });
  const none = configFolder(path.join(scratch, 'mcp-none'), []);
  const all = configFolder(path.join(scratch, 'mcp-all'), known);
  const workspace = benchWorkspace(scratch);
  await learn(main, all, workspace);
  const silent = configFolder(path.join(scratch, 'mcp-silent'), known);
  await learn(main, silent, workspace);
  configFolder(silent, [...known.slice(1), ['silent', launch('14', 'silent')]]);

  const programs = await bundlePrograms(path.join(scratch, 'mcp-programs'));
  const model = await InstantModelServer.start(programs.instantModel);
  const costs = new Map([none, all, silent].map((folder) => [folder, new Array<RunCost>()]));
  try {
    const places = { model, exitReport: programs.exitReport, workspace, scratch };
    for (let round = -1; round < rounds; round++) await runRound(main, costs, round, places);
  } finally {
    await model.stop();
  }
  const of = (folder: string, cost: 'wallMs' | 'cpuMs') => (costs.get(folder) ?? []).map((run) => run[cost]);
  const known13 = `a run with ${SERVERS} MCP servers that are not called, beside none`;
  const oneSilent = 'the same with one among them that is not known and never answers';
  const wall = of(none, 'wallMs');
  return [
    { ...addedRow(known13, of(all, 'wallMs'), wall), budget: BUDGET_MS },
    { ...addedRow(oneSilent, of(silent, 'wallMs'), wall), budget: BUDGET_MS },
    addedRow(`${known13}, in CPU time`, of(all, 'cpuMs'), of(none, 'cpuMs')),
    addedRow(`${oneSilent}, in CPU time`, of(silent, 'cpuMs'), of(none, 'cpuMs')),
    { what: 'a run without MCP servers', value: median(wall), range: rangeOf(wall), unit: 'ms', digits: 0 },
    ...(await programRows('mcpRows', rounds, scratch)),
  ];
}

/** Rotates the order each round, so that no configuration always runs on a warmed-up machine. */
async function runRound(main: string, costs: Map<string, RunCost[]>, round: number, places: RunPlaces): Promise<void> {
  const folders = [...costs.keys()];
  const first = (round + folders.length) % folders.length;
  for (const folder of [...folders.slice(first), ...folders.slice(0, first)]) {
    const cost = await runProgram(cairnIn(main, folder), 0, places);
    if (round >= 0) costs.get(folder)?.push(cost);
  }
}

function cairnIn(main: string, folder: string): Program {
  return {
    name: 'cairn',
    args: ({ workspace, prompt }) => [main, '-C', workspace, '-m', 'openai:mock', '--approve', 'all', prompt],
    env: ({ url }) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'mock', CAIRN_CONFIG_DIR: folder }),
  };
}

function addedRow(what: string, ours: readonly number[], theirs: readonly number[]): Row {
  const added = ours.map((value, round) => value - (theirs[round] ?? NaN));
  return { what, value: median(added), range: rangeOf(added), unit: 'ms', digits: 1 };
}

function configFolder(folder: string, servers: readonly (readonly [string, object])[]): string {
  mkdirSync(folder, { recursive: true });
  if (servers.length > 0) {
    writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries<object>(servers) }));
  }
  return folder;
}

/** Starts each server once in the workspace, so that its tools are known there. */
async function learn(main: string, folder: string, workspace: string): Promise<void> {
  const args = [main, 'mcp', 'check', '--config-dir', folder, '-C', workspace];
  const env = { ...cleanEnvironment(), HOME: folder };
  const { code, output } = await runCommand(process.execPath, args, { cwd: folder, env, timeoutMs: 120_000 });
  const found = output.split('\n').filter((line) => line.startsWith('  mcp__')).length;
  if (code !== 0 || found !== 181) throw new Error(`${found} tools were found instead of 181:\n${output}`);
}
