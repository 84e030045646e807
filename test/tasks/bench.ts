import os from 'node:os';
import { parseArgs } from 'node:util';
import { builtPackage } from '../bench/builtPackage';
import { measureActivation } from '../bench/measureActivation';
import { measureCommandLine } from '../bench/measureCommandLine';
import { measureMcp } from '../bench/measureMcp';
import { measurePrompts } from '../bench/measurePrompts';
import { measureScripts } from '../bench/measureScripts';
import { measureSessionMemory } from '../bench/measureSessionMemory';
import { measureSizes } from '../bench/measureSizes';
import { measureVsix } from '../bench/measureVsix';
import { measureGraphPage } from '../bench/panel/measureGraphPage';
import { measureLongAnswer } from '../bench/panel/measureLongAnswer';
import { measureOpening } from '../bench/panel/measureOpening';
import { measurePanel } from '../bench/panel/measurePanel';
import { measureTeam } from '../bench/panel/measureTeam';
import { programRows } from '../bench/programRows';
import { resultsTable, writeResults } from '../bench/resultsFile';
import { type Row, verdictOf } from '../bench/row';
import { stagedPackage } from '../bench/stagedPackage';
import { brokenEachTime } from './brokenEachTime';
import { temporaryDir } from './temporaryDir';

/**
 * `npm run bench [-- --only sizes,vsix,activation,opening,memory,panel,team,stream,cli,search,sessions,edits,prefix,prompts,scripts,graphs,graphPage,agents,mcp] [-- --runs N]`:
 * packages Cairn, measures it, prints a table, and saves it in test/bench/RESULTS.md unless --only is given. The table shows
 * missed budgets; the exit code is 1 only if something could not be measured. `--check` is for CI: the exit code is also 1 if a
 * budget is missed in each of three measurements, and nothing is saved. `--built` measures the last output of `npm run package`
 * instead of packaging again.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '11' },
    check: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
});
const runs = Number(options.runs);
const loadBefore = os.loadavg()[0] ?? 0;
const scratch = temporaryDir('bench-');

if (!options.built) console.log('Packaging a copy of the working folder …');
const built = options.built ? builtPackage() : await stagedPackage(scratch);

const measurements: Readonly<Record<string, () => Promise<Row[]> | Row[]>> = {
  sizes: () => measureSizes(built),
  vsix: () => measureVsix(built),
  activation: () => measureActivation(built, Math.ceil(runs / 2), scratch),
  opening: () => measureOpening(built, Math.ceil(runs / 2), scratch),
  memory: () => measureSessionMemory(built),
  panel: () => measurePanel(built, Math.ceil(runs / 3)),
  team: () => measureTeam(built),
  stream: async () => [...(await measureLongAnswer()), ...(await programRows('streamRows', 1, scratch))],
  cli: () => measureCommandLine(built, runs, scratch),
  search: () => programRows('searchRows', runs, scratch),
  sessions: () => programRows('sessionRows', runs, scratch),
  edits: () => programRows('editRows', 1, scratch),
  prefix: () => programRows('prefixRows', runs, scratch),
  prompts: () => measurePrompts(scratch),
  mcp: () => measureMcp(built, runs, scratch),
  scripts: () => measureScripts(built, Math.ceil(runs / 2), scratch),
  graphs: async () => [
    ...(await programRows('graphRows', Math.ceil(runs / 2), scratch)),
    ...(await programRows('layoutRows', Math.ceil(runs / 2), scratch)),
  ],
  graphPage: () => measureGraphPage(built),
  agents: async () => [
    ...(await programRows('agentRows', runs, scratch)),
    ...(await programRows('childRows', Math.ceil(runs / 2), scratch)),
    ...(await programRows('cancelRows', Math.ceil(runs / 2), scratch)),
  ],
};

function selectMeasurements(): string[] {
  const names = Object.keys(measurements);
  const only = options.only?.split(',') ?? names;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length === 0 && runs >= 1) return only;
  console.error(`--only takes ${names.join(', ')}; --runs takes a number above 0.`);
  return process.exit(2);
}

const failed: string[] = [];

async function measure(name: string): Promise<Row[]> {
  console.log(`Measuring: ${name} …`);
  try {
    return (await measurements[name]?.()) ?? [];
  } catch (error) {
    failed.push(name);
    console.error(`  ✗ ${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function measureAgain(name: string, broken: readonly Row[]): Promise<Row[]> {
  console.error(`Over its budget, measured again: ${broken.map(({ what }) => what).join('; ')}`);
  const again = await measure(name);
  console.log(`\n${resultsTable(again)}\n`);
  return again;
}

const groups = new Map<string, Row[]>();
for (const name of selectMeasurements()) groups.set(name, await measure(name));
const rows = [...groups.values()].flat();
console.log(`\n${resultsTable(rows)}\n`);
const missed = rows.filter((row) => verdictOf(row) === 'not met');
console.log(missed.length > 0 ? `Not met: ${missed.map(({ what }) => what).join('; ')}` : 'Every budget is met.');
if (options.only === undefined && failed.length === 0 && !options.check) {
  writeResults(rows, `npm run bench${options.runs === '11' ? '' : ` -- --runs ${options.runs}`}`, loadBefore);
  console.log('Kept in test/bench/RESULTS.md');
}
const broken = options.check ? await brokenEachTime(groups, measureAgain) : [];
if (broken.length > 0) console.error(`Over its budget each time: ${broken.map(({ what }) => what).join('; ')}`);
process.exit(failed.length + broken.length > 0 ? 1 : 0);
