import assert from 'node:assert/strict';
import { checkOfferedRules } from '../../../support/shellLines/checkOfferedRules';
import { checkShellLines } from '../../../support/shellLines/checkShellLines';
import { provideShells } from '../../../support/shellLines/provideShells';

const LINES = Number(process.env['CAIRN_SHELL_LINES'] ?? 20_000);
const OFFERED = Math.round(LINES / 5);
/**
 * A fixed seed: whatever passes must keep passing until something changes, so the gate does not generate new lines.
 * `npm run shell-lines` uses a new seed each time; what it finds becomes a named test of its kind, next to this one.
 */
const SEED = Number(process.env['CAIRN_SHELL_SEED'] ?? 66_173_067);

describe('The programs started by generated shell lines', function () {
  before(async function () {
    if (process.platform === 'win32') return this.skip();
    this.timeout(600_000);
    await provideShells(console.log);
  });

  it(`are only those the rules allow: ${LINES} lines from the seed ${SEED} in bash, dash and zsh`, async () => {
    const { escapes, letThrough, started } = await checkShellLines(SEED, LINES);
    assert.deepEqual(escapes.slice(0, 20), []);
    // If nearly all lines required approval, the rest would prove little.
    for (const [name, count] of Object.entries(letThrough))
      assert.ok(count > LINES / 30, `of the lines for “${name}” only ${count} were let through`);
    assert.ok(started > LINES / 10, `only ${started} programs were started`);
  }).timeout(900_000);

  it(`are only those “Always…” offered, with harmless options: ${OFFERED} lines from the seed ${SEED}`, async () => {
    const { escapes, letThrough, started } = await checkOfferedRules(SEED, OFFERED);
    assert.deepEqual(escapes.slice(0, 20), []);
    assert.ok((letThrough['offered'] ?? 0) > OFFERED / 10, `only ${letThrough['offered']} lines were let through`);
    assert.ok(started > OFFERED / 10, `only ${started} programs were started`);
  }).timeout(900_000);
});
