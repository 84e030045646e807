import { parseArgs } from 'node:util';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { editorFarm } from '../soak/editorFarm';
import { Farm } from '../soak/farm';
import { temporaryDir } from './temporaryDir';

/**
 * `npm run soak [-- --minutes 60] [-- --kills 450] [-- --editor-kills 50] [-- --seed N]`: builds the command and the extension,
 * runs both under load against a scripted model, kills the command and the extension host at random points, fills the disk, and
 * breaks connections until that many kills or minutes are reached. Then judges what is left. The same seed makes the same
 * choices, though not at the same moments.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string', default: '450' },
    'editor-kills': { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

async function main(): Promise<number> {
  const [minutes, kills, seed] = [values.minutes, values.kills, values.seed].map(Number);
  const editorKills = Number(values['editor-kills']);
  if (!minutes || !kills || [seed, editorKills].some(Number.isNaN) || seed === undefined) {
    console.error('--minutes and --kills take a number above 0, --editor-kills and --seed take a number.');
    return 2;
  }
  const build = await runCommand(process.execPath, ['esbuild.mjs'], { cwd: repoRoot, timeoutMs: 120_000, echo: true });
  if (build.code !== 0) return 1;
  console.log(
    `Seed ${seed}: up to ${kills} kills of the command and ${editorKills} of the extension host in ${minutes} minutes.`,
  );
  const folder = temporaryDir('soak-');
  const onProgress = (text: string): void => console.log(text);
  const [command, editor] = await Promise.all([
    Farm.run({ ...{ seed, kills, minutes, folder, sessions: 4, writers: 6 }, onProgress }),
    editorKills > 0 ? editorFarm({ seed, kills: editorKills, minutes, onProgress }) : undefined,
  ]);
  const problems = [...tell('command', command), ...tell('extension host', editor)];
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems, with seed ${seed}.`);
  return problems.length === 0 ? 0 : 1;
}

/** Prints a farm's counts and returns its problems. */
function tell(what: string, report: { problems: string[] } | undefined): string[] {
  const { problems, ...counts } = report ?? { problems: [] };
  for (const [name, value] of Object.entries(counts)) console.log(`${what}, ${name}: ${String(value)}`);
  return problems;
}

process.exitCode = await main();
