import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from '../support/isGone';
import { processIn } from '../support/processIn';
import { processesIn } from '../soak/processesIn';
import { inShell } from './inShell';
import { aMoment } from '../support/aMoment';

/** A command, a child of it that ignores signals, and one that has left its process group; each writes its process id to a file. */
const FAMILY = [
  `echo $$ > pids/leader`,
  `(trap '' TERM INT HUP; sh -c 'echo $PPID > pids/stubborn'; while :; do sleep 300; done) &`,
  `setsid sh -c 'echo $$ > pids/apart; sleep 300' &`,
  `wait`,
].join('\n');
/** Kills Cairn as soon as it has spawned a command, before it can react. */
const KILLED_WHILE_STARTING = `
const processes = require('node:child_process');
const { spawn } = processes;
processes.spawn = (file, args, options) => {
  const child = spawn(file, args, options);
  if (args.some((one) => one.includes('pids/leader'))) {
    require('node:fs').writeFileSync('leader', child.pid + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }
  return child;
};
require('node:module').syncBuiltinESMExports();
`;
const NAMES = ['leader', 'stubborn', 'apart'];

async function untilGone(pids: readonly number[]): Promise<void> {
  while (!pids.every(isGone)) await aMoment();
}

async function untilNobodyWorksIn(folder: string): Promise<void> {
  while ((await processesIn(folder)).length > 0) await aMoment();
}

/** Runs a command that does not end, does something to Cairn, and waits until every process of the command is gone. */
async function ends(
  command: Record<string, unknown>,
  how: (kill: (signal: NodeJS.Signals) => void) => Promise<void>,
): Promise<void> {
  const story = [{ call: [{ name: 'execute_command', arguments: command }] }, { say: 'It runs.', hold: 'forever' }];
  await inShell(story, async ({ cairn, folder }) => {
    await mkdir(join(folder, 'pids'));
    let kill: (signal: NodeJS.Signals) => void = () => assert.fail('it was not started');
    const args = ['-m', 'openai:test-model', '--approve', 'all', '-C', folder, '--output', 'stream-json', 'go'];
    const running = cairn(args, { onStart: (how) => (kill = how) });
    const pids = await Promise.all(NAMES.map((name) => processIn(() => readFile(join(folder, 'pids', name), 'utf8'))));
    assert.ok(pids.every((pid) => !isGone(pid)));
    await how(kill);
    await running;
    await untilGone(pids);
  });
}

(process.platform === 'linux' ? describe : describe.skip)('The processes of a command', function () {
  this.timeout(60_000);

  it('end when Cairn is killed', () =>
    ends({ command: FAMILY }, (kill) => {
      kill('SIGKILL');
      return Promise.resolve();
    }));

  it('end when Cairn is killed even if they left their group and their parent has ended', () => {
    const left = `(setsid sh -c 'echo $$ > pids/apart; sleep 300' &)`;
    const stubborn = `(setsid sh -c 'trap "" TERM INT HUP; echo $$ > pids/stubborn; while :; do sleep 300; done' &)`;
    const command = [left, stubborn, `echo $$ > pids/leader`, `while :; do sleep 300; done`].join('\n');
    return ends({ command }, (kill) => {
      kill('SIGKILL');
      return Promise.resolve();
    });
  });

  it('end when Cairn is killed while they run in the background', () =>
    ends({ command: FAMILY, background: true }, (kill) => {
      kill('SIGKILL');
      return Promise.resolve();
    }));

  // The watcher counts starts to know which is next; the count must also include a start that failed.
  const earlier = [{ command: 'true' }, { command: 'true', background: true }, { command: `: ${'x'.repeat(200_000)}` }];
  for (const [when, before] of [
    ['', []],
    [' after others', earlier],
  ] as const) {
    it(`end when Cairn is killed at the very moment it starts them${when}`, () =>
      inShell(
        [...before, { command: FAMILY }].map((one) => ({ call: [{ name: 'execute_command', arguments: one }] })),
        async ({ cairn, folder }) => {
          await mkdir(join(folder, 'pids'));
          await writeFile(join(folder, 'killing.cjs'), KILLED_WHILE_STARTING);
          const args = ['-m', 'openai:test-model', '--approve', 'all', '-C', folder, 'go'];
          const { status } = await cairn(args, { env: { NODE_OPTIONS: `--require ${join(folder, 'killing.cjs')}` } });
          assert.equal(status, null, 'it was killed');
          const leader = await processIn(() => readFile(join(folder, 'leader'), 'utf8'));
          await untilGone([leader]);
          await untilNobodyWorksIn(folder);
        },
      ));
  }

  it('end when Cairn is interrupted twice', () =>
    ends({ command: FAMILY }, async (kill) => {
      kill('SIGINT');
      await new Promise(setImmediate);
      kill('SIGINT');
    }));
});
