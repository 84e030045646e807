import os from 'node:os';
import { parseArgs } from 'node:util';
import { measureActivation } from '../bench/measureActivation';
import { measureCommandLine } from '../bench/measureCommandLine';
import { measureSizes } from '../bench/measureSizes';
import { measureVsix } from '../bench/measureVsix';
import { measurePanel } from '../bench/panel/measurePanel';
import { measureTeam } from '../bench/panel/measureTeam';
import { programRows } from '../bench/programRows';
import { resultsTable, writeResults } from '../bench/resultsFile';
import { isBroken, type Row, verdictOf } from '../bench/row';
import { stagedPackage } from '../bench/stagedPackage';
import { temporaryDir } from './temporaryDir';

/**
 * `npm run bench [-- --only sizes,vsix,activation,panel,team,cli,search,sessions,agents] [-- --runs N]`: packages Cairn, measures it, prints a table, and keeps it in
 * test/bench/RESULTS.md unless --only is given. A budget that is not met is told in the table; the exit code is 1 only
 * when something could not be measured. `--check` is for CI: the exit code is also 1 when a budget is broken beyond doubt in two
 * measurements, and nothing is kept.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '11' },
    check: { type: 'boolean', default: false },
  },
});
const runs = Number(options.runs);
const loadBefore = os.loadavg()[0] ?? 0;
const scratch = temporaryDir('bench-');

console.log('Packaging a copy of the working folder …');
const built = await stagedPackage(scratch);

const measurements: Readonly<Record<string, () => Promise<Row[]> | Row[]>> = {
  sizes: () => measureSizes(built),
  vsix: () => measureVsix(built),
  activation: () => measureActivation(built, Math.ceil(runs / 2), scratch),
  panel: () => measurePanel(built, Math.ceil(runs / 3)),
  team: () => measureTeam(built),
  cli: () => measureCommandLine(built, runs, scratch),
  search: () => programRows('searchRows', runs, scratch),
  sessions: () => programRows('sessionRows', runs, scratch),
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

/** A cost that has grown is there again when it is measured again, a busy moment of the machine is not. */
async function brokenTwice(): Promise<Row[]> {
  const still: Row[] = [];
  for (const [name, measured] of groups) {
    const once = measured.filter(isBroken).map(({ what }) => what);
    if (once.length === 0) continue;
    console.error(`Over its budget and the slack, measured again: ${once.join('; ')}`);
    const again = await measure(name);
    console.log(`\n${resultsTable(again)}\n`);
    still.push(...again.filter((row) => isBroken(row) && once.includes(row.what)));
  }
  return still;
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
const broken = options.check ? await brokenTwice() : [];
if (broken.length > 0) console.error(`Beyond its budget and the slack: ${broken.map(({ what }) => what).join('; ')}`);
process.exit(failed.length + broken.length > 0 ? 1 : 0);
