import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { checkOfferedRules } from '../support/shellLines/checkOfferedRules';
import { checkShellLines } from '../support/shellLines/checkShellLines';
import { provideShells } from '../support/shellLines/provideShells';

/**
 * `npm run shell-lines [-- --lines N] [-- --seed N] [-- --minutes N]`: judges that many generated lines, runs the allowed ones in
 * bash, dash, and zsh, and reports what they started beyond what their rules permit. One line in twenty begins like a command for
 * which "Always…" offered a rule. It stops after that many minutes, and the same command resumes there as long as the code is
 * unchanged. The exit code is 1 if anything escaped.
 */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    minutes: { type: 'string', default: '1000000' },
  },
});
const ROUND = 20_000;
const stateSchema = z.object({
  code: z.string(),
  done: z.number(),
  seconds: z.number(),
  letThrough: z.record(z.string(), z.number()),
  started: z.number(),
  escaped: z.number(),
});
type State = z.infer<typeof stateSchema>;

const [lines, seed, minutes] = [Number(values.lines), Number(values.seed), Number(values.minutes)];
if (!(lines >= 1) || !(seed >= 0) || !(minutes > 0)) {
  console.error('--lines, --seed and --minutes take numbers.');
  process.exit(2);
}
const file = `.build/shell-lines-${seed}.json`;
const code = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex');

await provideShells(console.log);
const state = begun();
const [began, before] = [Date.now(), state.seconds];
console.log(`${lines} lines from the seed ${seed}${state.done > 0 ? `, of which ${state.done} are done` : ''}`);
while (state.done < lines && Date.now() - began < minutes * 60_000) {
  await round(state, Math.min(ROUND, lines - state.done));
  state.seconds = before + Math.round((Date.now() - began) / 1000);
  writeFileSync(file, JSON.stringify(state));
  console.log(`${state.done} lines, ${state.seconds} s, ${state.escaped} escaped`);
}
const through = Object.entries(state.letThrough).map(([name, count]) => `${name} ${count}`);
console.log(`Let through: ${through.join(', ')}; programs started: ${state.started}; escaped: ${state.escaped}`);
if (state.done < lines) console.log('The same command goes on from here.');
process.exit(state.escaped > 0 ? 1 : 0);

/** The progress of an earlier run of the same code, or none. */
function begun(): State {
  const fresh = { code, done: 0, seconds: 0, letThrough: {}, started: 0, escaped: 0 };
  if (!existsSync(file)) return fresh;
  const kept = stateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (kept.success && kept.data.code === code) return kept.data;
  console.log('The code has changed since the lines of this seed were run, so all of them are run again.');
  return fresh;
}

/** Each round has its own seed, so that it can be repeated on its own. */
async function round(sums: State, count: number): Promise<void> {
  const own = seed + sums.done / ROUND;
  const offered = Math.round(count / 20);
  for (const result of [await checkShellLines(own, count - offered), await checkOfferedRules(own, offered)]) {
    for (const [name, letIn] of Object.entries(result.letThrough))
      sums.letThrough[name] = (sums.letThrough[name] ?? 0) + letIn;
    sums.started += result.started;
    sums.escaped += result.escapes.length;
    for (const escape of result.escapes) console.log(`ESCAPED from the seed ${own}: ${escape}`);
  }
  sums.done += count;
}
