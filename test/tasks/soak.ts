import { parseArgs } from 'node:util';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { Farm } from '../soak/farm';
import { temporaryDir } from './temporaryDir';

/**
 * `npm run soak [-- --minutes 60] [-- --kills 500] [-- --seed N]`: builds the command, runs it against a scripted model under
 * load, kills it at random points, fills the disk and breaks connections, until so many kills or minutes are over; then
 * judges what is left. The same seed takes the same choices, though not at the same moments.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

async function main(): Promise<number> {
  const [minutes, kills, seed] = [values.minutes, values.kills, values.seed].map(Number);
  if (!minutes || !kills || seed === undefined || Number.isNaN(seed)) {
    console.error('--minutes and --kills take a number above 0, --seed takes a number.');
    return 2;
  }
  const build = await runCommand(process.execPath, ['esbuild.mjs'], { cwd: repoRoot, timeoutMs: 120_000, echo: true });
  if (build.code !== 0) return 1;
  console.log(`Seed ${seed}: up to ${kills} kills in ${minutes} minutes.`);
  const folder = temporaryDir('soak-');
  const { problems, ...counts } = await Farm.run({
    ...{ seed, kills, minutes, folder, sessions: 4, writers: 6 },
    onProgress: (text) => console.log(text),
  });
  for (const [name, value] of Object.entries(counts)) console.log(`${name}: ${value}`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems, with seed ${seed}.`);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
