import { parseArgs } from 'node:util';
import { checkShellLines } from '../support/shellLines/checkShellLines';
import { provideShells } from '../support/shellLines/provideShells';

/**
 * `npm run shell-lines [-- --lines N] [-- --seed N]`: judges that many generated lines, runs those that are let through in bash,
 * dash and zsh, and tells what they started that their rules do not let them start. The exit code is 1 when there was any.
 */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const ROUND = 20_000;
const lines = Number(values.lines);
const seed = Number(values.seed);
if (!(lines >= 1) || !(seed >= 0)) {
  console.error('--lines and --seed take numbers.');
  process.exit(2);
}

await provideShells(console.log);
console.log(`${lines} lines from the seed ${seed}`);
const began = Date.now();
const letThrough: Record<string, number> = {};
let started = 0;
let escaped = 0;
for (let done = 0; done < lines; done += ROUND) {
  // Each round has a seed of its own, so that one can be run again alone.
  const round = await checkShellLines(seed + done / ROUND, Math.min(ROUND, lines - done));
  for (const [name, count] of Object.entries(round.letThrough)) letThrough[name] = (letThrough[name] ?? 0) + count;
  started += round.started;
  escaped += round.escapes.length;
  for (const escape of round.escapes) console.log(`ESCAPED from the seed ${seed + done / ROUND}: ${escape}`);
  console.log(
    `${Math.min(done + ROUND, lines)} lines, ${Math.round((Date.now() - began) / 1000)} s, ${escaped} escaped`,
  );
}
const through = Object.entries(letThrough).map(([name, count]) => `${name} ${count}`);
console.log(`Let through: ${through.join(', ')}; programs started: ${started}; escaped: ${escaped}`);
process.exit(escaped > 0 ? 1 : 0);
