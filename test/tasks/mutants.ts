import { parseArgs } from 'node:util';
import { ModuleTests } from '../mutants/moduleTests';
import { mutatedModules } from '../mutants/mutatedModules';
import { type ModuleResult, tryMutants } from '../mutants/tryMutants';

/**
 * `npm run mutants [-- --module TEXT] [-- --count 400] [-- --seed N] [-- --processes 2]`: changes modules in memory, one place at
 * a time, and reports which changes no test catches. The count is distributed evenly over the modules; the same seed tries the
 * same changes.
 */
const { values } = parseArgs({
  options: {
    module: { type: 'string', default: '' },
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    processes: { type: 'string', default: '2' },
  },
});

async function main(): Promise<number> {
  const [count, seed, processes] = [Number(values.count), Number(values.seed), Number(values.processes)];
  const modules = mutatedModules.filter(({ name }) => name.includes(values.module));
  if (!(count >= 1) || !(seed >= 0) || !(processes >= 1) || modules.length === 0) {
    const names = mutatedModules.map(({ name }) => name).join('; ');
    console.error(`--count, --seed and --processes take numbers, --module a part of one of these names: ${names}.`);
    return 2;
  }
  console.log(`Seed ${seed}, ${count} changes in ${modules.length} modules.`);
  const results: ModuleResult[] = [];
  for (const [index, module] of modules.entries()) {
    const share = Math.floor((count * (index + 1)) / modules.length) - Math.floor((count * index) / modules.length);
    const begun = performance.now();
    const result = await tryMutants(module, { count: share, seed, processes, print: console.log });
    console.log(`\n${tableRow(result)} ${Math.round((performance.now() - begun) / 1000)} s`);
    results.push(result);
  }
  return tell(results);
}

const COLUMNS =
  '| module | tried | caught | of these broken | equivalent | missed |\n| --- | ---: | ---: | ---: | ---: | ---: |';

/** Prints the table. Returns exit code 1 if fewer than nine in ten were caught. */
function tell(results: readonly ModuleResult[]): number {
  const total: ModuleResult = {
    name: 'all',
    tried: results.reduce((sum, { tried }) => sum + tried, 0),
    caught: results.reduce((sum, { caught }) => sum + caught, 0),
    broken: results.reduce((sum, { broken }) => sum + broken, 0),
    equivalent: results.flatMap(({ equivalent }) => equivalent),
    missed: results.flatMap(({ missed }) => missed),
  };
  console.log(`\n${[COLUMNS, ...[...results, total].map(tableRow)].join('\n')}`);
  console.log(`${((100 * total.caught) / total.tried).toFixed(1)} % caught`);
  return total.caught >= 0.9 * total.tried ? 0 : 1;
}

function tableRow({ name, tried, caught, broken, equivalent, missed }: ModuleResult): string {
  return `| ${[name, tried, caught, broken, equivalent.length, missed.length].join(' | ')} |`;
}

try {
  process.exitCode = await main();
} finally {
  await ModuleTests.end();
}
