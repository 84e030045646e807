import path from 'node:path';
import { benchWorkspace } from './benchWorkspace';
import { bundlePrograms } from './bundlePrograms';
import { InstantModelServer } from './instantModelServer';
import { median, rangeOf } from './median';
import { ratioRow } from './ratioRow';
import type { Row } from './row';
import { type Program, type RunCost, runProgram, type RunPlaces } from './runProgram';
import type { StagedPackage } from './stagedPackage';

const TURNS = 50;
const BUDGET = { turn: 2, start: 2.5, memory: 2, requestKb: 9.5, addedPercent: 120, bytes: 1.35 };

/** The costs of one program without tool turns and with `TURNS` of them, one entry per round. */
interface Costs {
  readonly program: Program;
  readonly none: RunCost[];
  readonly many: RunCost[];
}

/**
 * Measures the command line against the floor program, interleaved, since only runs on the same machine at the same time are
 * comparable. One extra, uncounted round warms up.
 */
export async function measureCommandLine({ dist }: StagedPackage, rounds: number, scratch: string): Promise<Row[]> {
  const programs = await bundlePrograms(path.join(scratch, 'programs'));
  const model = await InstantModelServer.start(programs.instantModel);
  try {
    const places: RunPlaces = { model, exitReport: programs.exitReport, workspace: benchWorkspace(scratch), scratch };
    const cairn = { program: cairnProgram(path.join(dist, 'cairn.mjs')), none: [], many: [] };
    const floor = { program: floorProgram(programs.floorAgent), none: [], many: [] };
    for (let round = -1; round < rounds; round++) {
      await runRound(round % 2 === 0 ? [floor, cairn] : [cairn, floor], round >= 0, places);
    }
    return rowsOf(cairn, floor);
  } finally {
    await model.stop();
  }
}

async function runRound(all: readonly Costs[], isCounted: boolean, places: RunPlaces): Promise<void> {
  for (const { program, none, many } of all) {
    const short = await runProgram(program, 0, places);
    const long = await runProgram(program, TURNS, places);
    if (!isCounted) continue;
    none.push(short);
    many.push(long);
  }
}

function cairnProgram(main: string): Program {
  return {
    name: 'cairn',
    args: ({ workspace, prompt }) => [main, '-C', workspace, '-m', 'openai:mock', '--approve', 'all', prompt],
    env: ({ url, home }) => ({
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'mock',
      CAIRN_CONFIG_DIR: path.join(home, 'config'),
    }),
  };
}

function floorProgram(main: string): Program {
  return { name: 'floor', args: ({ url, workspace, prompt }) => [main, url, workspace, prompt], env: () => ({}) };
}

function rowsOf(cairn: Costs, floor: Costs): Row[] {
  const start = (cost: 'wallMs' | 'cpuMs') => (one: Costs) => one.none.map((run) => run[cost]);
  const turn = (cost: 'wallMs' | 'cpuMs') => (one: Costs) =>
    one.many.map((run, round) => (run[cost] - (one.none[round]?.[cost] ?? NaN)) / TURNS);
  const bytes = (one: Costs) => one.many.map(({ allBytes }) => allBytes);
  const memory = (one: Costs) => one.many.map(({ peakMib }) => peakMib);
  const ratios = (what: string, values: (one: Costs) => number[], budget?: number): Row =>
    ratioRow(what, values(cairn), values(floor), budget);
  const both = (what: string, values: (one: Costs) => number[], unit: string, digits: number): Row[] =>
    [cairn, floor].map((one) => valueRow(`${what}, ${one.program.name}`, values(one), unit, digits));
  return [
    ratios('start-up, cairn to floor', start('wallMs'), BUDGET.start),
    ratios(`tool turn, cairn to floor`, turn('wallMs'), BUDGET.turn),
    ratios(`peak memory at ${TURNS} turns, cairn to floor`, memory, BUDGET.memory),
    {
      ...valueRow('first request', firstRequestKb(cairn), 'KB', 1),
      budget: BUDGET.requestKb,
    },
    {
      ...valueRow('what a tool turn adds to the request, of the floor’s', addedPercents(cairn, floor), '%', 0),
      budget: BUDGET.addedPercent,
    },
    ratios(`bytes sent in ${TURNS} turns, cairn to floor`, bytes, BUDGET.bytes),
    ratios('start-up in CPU time, cairn to floor', start('cpuMs')),
    ratios('tool turn in CPU time, cairn to floor', turn('cpuMs')),
    ...both('start-up', start('wallMs'), 'ms', 0),
    ...both('start-up in CPU time', start('cpuMs'), 'ms', 0),
    ...both('tool turn', turn('wallMs'), 'ms', 2),
    ...both('tool turn in CPU time', turn('cpuMs'), 'ms', 2),
    ...both(`peak memory at ${TURNS} turns`, memory, 'MiB', 0),
  ];
}

const firstRequestKb = ({ none }: Costs): number[] => none.map(({ firstBytes }) => firstBytes / 1000);

/** The request bytes added per turn relative to the floor, in percent, for the same calls and results. */
function addedPercents(cairn: Costs, floor: Costs): number[] {
  const added = ({ many }: Costs) => many.map(({ firstBytes, lastBytes }) => (lastBytes - firstBytes) / TURNS);
  const least = added(floor);
  return added(cairn).map((bytes, round) => (100 * bytes) / (least[round] ?? NaN));
}

function valueRow(what: string, values: readonly number[], unit: string, digits: number): Row {
  return { what, value: median(values), range: rangeOf(values), unit, digits };
}
