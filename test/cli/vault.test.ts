import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { inShell } from './inShell';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const PASSPHRASE = 'correct horse battery staple';
const VALUE = 'Zq7Wx9KvJy4Bn2Rt8Lp5';
const open = { env: { CAIRN_VAULT_PASSPHRASE: PASSPHRASE } };
const model = ['-m', 'openai:test-model'];

describe('cairn vault', function () {
  this.timeout(60_000);

  it('adds, lists, prints, updates and deletes a secret', () =>
    inShell([], async ({ cairn }) => {
      const vault = (args: string[], input?: string) =>
        cairn(['vault', ...args], { ...open, ...(input !== undefined && { input }) });
      assert.equal((await vault(['add', 'DEPLOY_TOKEN'], `${VALUE}\n`)).status, 0);
      assert.equal((await vault(['add', 'OTHER'], 'one\ntwo\n\n')).status, 0);
      assert.equal((await vault(['list'])).out, 'DEPLOY_TOKEN\nOTHER\n');
      assert.equal((await vault(['get', 'DEPLOY_TOKEN'])).out, VALUE);
      assert.equal((await vault(['get', 'OTHER'])).out, 'one\ntwo\n');
      const again = await vault(['add', 'OTHER'], 'x');
      assert.equal(again.status, 1);
      assert.match(again.err, /already has a secret named OTHER. cairn vault update OTHER/);
      const updated = await vault(['update', 'OTHER'], 'new');
      assert.equal(updated.status, 0);
      assert.match(
        updated.err,
        /OTHER is kept with its new value\.\ncairn: its value is too short .* not hidden from agents/,
      );
      assert.equal((await vault(['get', 'OTHER'])).out, 'new');
      assert.equal((await vault(['delete', 'OTHER'])).status, 0);
      const gone = await vault(['get', 'DEPLOY_TOKN']);
      assert.equal(gone.status, 2);
      assert.match(gone.err, /no secret named DEPLOY_TOKN. Did you mean DEPLOY_TOKEN\?/);
      assert.equal((await vault(['list'])).out, 'DEPLOY_TOKEN\n');
    }));

  it('does not accept a value as an argument, and does not repeat it', () =>
    inShell([], async ({ cairn, folder }) => {
      const { status, err } = await cairn(['vault', 'add', 'DEPLOY_TOKEN', VALUE], open);
      assert.equal(status, 2);
      assert.match(err, /takes a name and nothing else.*your shell keeps it in its history/);
      assert.ok(!err.includes(VALUE));
      assert.ok(!existsSync(join(folder, 'config')));
    }));

  it('reads passphrases and values without echo, and warns when one is printed', () =>
    inShell([], async ({ terminal }) => {
      const add = terminal(['vault', 'add', 'DEPLOY_TOKEN']);
      await add.seen(/Passphrase for the new vault: /);
      add.type(`${PASSPHRASE}\r`);
      await add.seen(/Repeat the passphrase: /);
      add.type(`${PASSPHRASE}\r`);
      await add.seen(/Value of DEPLOY_TOKEN: /);
      // Deleted characters and arrow keys are not part of the value.
      add.type(`${VALUE}xx\u007f\u007f\u001b[D\r`);
      await add.seen(/DEPLOY_TOKEN is kept in the vault/);
      assert.equal(await add.ended, 0);
      assert.ok(!add.screen.includes(VALUE) && !add.screen.includes(PASSPHRASE), add.screen);
      const get = terminal(['vault', 'get', 'DEPLOY_TOKEN'], open);
      await get.seen(/is now visible on this screen[^]*Zq7Wx9KvJy4Bn2Rt8Lp5/);
      assert.equal(await get.ended, 0);
    }));

  it('checks its content again after a value is typed, in case another process changed it', () =>
    inShell([], async ({ terminal, cairn }) => {
      const vault = (args: string[], input = '') => cairn(['vault', ...args], { ...open, input });
      await vault(['add', 'OTHER'], VALUE);
      const add = terminal(['vault', 'add', 'DEPLOY_TOKEN'], open);
      await add.seen(/Value of DEPLOY_TOKEN: /);
      await vault(['add', 'DEPLOY_TOKEN'], VALUE);
      add.type('the slower value\r');
      await add.seen(/already has a secret named DEPLOY_TOKEN/);
      assert.equal(await add.ended, 1);
      assert.equal((await vault(['get', 'DEPLOY_TOKEN'])).out, VALUE);
      const update = terminal(['vault', 'update', 'DEPLOY_TOKEN'], open);
      await update.seen(/Value of DEPLOY_TOKEN: /);
      await vault(['delete', 'DEPLOY_TOKEN']);
      update.type('the slower value\r');
      await update.seen(/no secret named DEPLOY_TOKEN/);
      assert.equal(await update.ended, 2);
      assert.equal((await vault(['list'])).out, 'OTHER\n');
    }));

  it('creates no vault when the passphrases differ or are too short, or on Ctrl+C', () =>
    inShell([], async ({ terminal, folder }) => {
      for (const [answers, status] of [
        [[`${PASSPHRASE}\r`, 'something else\r'], 2],
        [['short\r'], 2],
        [['\u0003'], 130],
        [['several\rlines\r'], 2],
      ] as const) {
        const add = terminal(['vault', 'add', 'DEPLOY_TOKEN']);
        let place = 0;
        for (const answer of answers) {
          place = await add.seen(/(?:new vault|Repeat the passphrase): /, place);
          add.type(answer);
        }
        assert.equal(await add.ended, status, add.screen);
      }
      assert.ok(!existsSync(join(folder, 'config')));
    }));

  it('reads the key file, and reports one that is missing, empty or readable by others (P-1.4)', () =>
    inShell([], async ({ cairn, folder }) => {
      const keyFile = join(folder, 'vault.key');
      const env = { CAIRN_VAULT_KEY_FILE: keyFile };
      for (const [text, message] of [
        [undefined, /The key file .*vault\.key \(CAIRN_VAULT_KEY_FILE\) does not exist/],
        ['\n', /The key file .*vault\.key \(CAIRN_VAULT_KEY_FILE\) is empty/],
      ] as const) {
        if (text !== undefined) await writeFile(keyFile, text, { mode: 0o600 });
        const { status, err } = await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { env, input: VALUE });
        assert.equal(status, 2, err);
        assert.match(err, message);
      }
      await writeFile(keyFile, `${PASSPHRASE}\n`);
      if (process.platform !== 'win32') {
        await chmod(keyFile, 0o640);
        const read = await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { env, input: VALUE });
        assert.equal(read.status, 1, read.err);
        assert.match(read.err, /The key file .*vault\.key .* can be used by others on this machine. Run chmod 600/);
        await chmod(keyFile, 0o600);
      }
      assert.equal((await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { env, input: VALUE })).status, 0);
      assert.equal((await cairn(['vault', 'get', 'DEPLOY_TOKEN'], open)).out, VALUE);
    }));

  it('explains what to do when no one can be asked, and lists actions for an unknown one', () =>
    inShell([], async ({ cairn }) => {
      const locked = await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { input: VALUE });
      assert.equal(locked.status, 2);
      assert.match(locked.err, /Set CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE/);
      const word = await cairn(['vault', 'ad', 'DEPLOY_TOKEN'], open);
      assert.equal(word.status, 2);
      assert.match(word.err, /takes add, get, update, delete, list, not "ad"/);
      const folder = await cairn(['vault', 'list', '--config-dir', '--other'], open);
      assert.equal(folder.status, 2);
      assert.match(
        folder.err,
        /'--config-dir' argument is ambiguous\. Did you forget .*\. See cairn vault --help\.\n$/,
      );
      assert.match((await cairn(['vault', '--help'])).out, /cairn vault add NAME/);
    }));
});

describe('A run with a vault', function () {
  this.timeout(60_000);
  const noKey = { OPENAI_API_KEY: '' };

  it('uses its key, and hides its values from the model and stored data', () =>
    inShell(
      [{ call: [{ name: 'execute_command', arguments: { command: 'cat told.txt' } }] }, { say: 'Done.' }],
      async ({ cairn, folder, server }) => {
        for (const [name, input] of [
          ['OPENAI_API_KEY', 'test-key'],
          ['DEPLOY_TOKEN', VALUE],
        ] as const)
          assert.equal((await cairn(['vault', 'add', name], { ...open, input })).status, 0);
        await writeFile(join(folder, 'told.txt'), `${VALUE} ${Buffer.from(VALUE).toString('base64')}\n`);
        const { status, out, err } = await cairn([...model, '--approve', 'all', 'go'], {
          env: { ...open.env, ...noKey },
        });
        assert.equal(status, 0, err);
        assert.equal(server.requests[0]?.headers['authorization'], 'Bearer test-key');
        assert.match(server.requests.at(-1)?.lastText ?? '', /••• •••/);
        const kept = await sessionText(folder);
        for (const text of [out, err, kept]) assert.ok(!text.includes(VALUE), text);
      },
    ));

  it('prefers the key of the environment to that of the vault', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, server }) => {
      await cairn(['vault', 'add', 'OPENAI_API_KEY'], { ...open, input: 'key-of-the-vault' });
      assert.equal((await cairn([...model, 'go'], open)).status, 0);
      assert.equal(server.requests[0]?.headers['authorization'], 'Bearer test-key');
    }));

  it('continues without a vault that is locked, damaged or has another key, and says why (P-1.3)', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }], async ({ cairn, folder }) => {
      await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { ...open, input: VALUE });
      const run = async (env: NodeJS.ProcessEnv, message: RegExp) => {
        const { status, err } = await cairn([...model, 'go'], { env });
        assert.equal(status, 0, err);
        assert.match(err, message);
      };
      await run({}, /the vault is locked, so its secrets are not used.*CAIRN_VAULT_PASSPHRASE/);
      await run({ CAIRN_VAULT_PASSPHRASE: 'another one' }, /secrets of the vault are not used. The key does not open/);
      await writeFile(join(folder, 'config', 'vault.json'), '{');
      await run(open.env, /secrets of the vault are not used. .*is damaged/);
    }));

  it('prompts for the passphrase once, and continues without it after an empty answer', () =>
    inShell([{ say: 'First.' }], async ({ cairn, terminal, server }) => {
      await cairn(['vault', 'add', 'OPENAI_API_KEY'], { ...open, input: 'test-key' });
      const asked = terminal([...model, 'go'], { env: noKey });
      await asked.seen(/Passphrase of the vault/);
      asked.type(`${PASSPHRASE}\r`);
      await asked.seen(/First\./);
      assert.equal(await asked.ended, 0);
      assert.equal(asked.screen.match(/Passphrase of the vault/g)?.length, 1);
      assert.equal(server.requests[0]?.headers['authorization'], 'Bearer test-key');
      const skipped = terminal([...model, 'go'], { env: noKey });
      await skipped.seen(/Passphrase of the vault/);
      skipped.type('\r');
      await skipped.seen(/the vault is locked[^]*OPENAI_API_KEY/);
      assert.notEqual(await skipped.ended, 0);
    }));

  it('does not prompt when nothing in the vault is needed', () =>
    inShell(
      [{ call: [{ name: 'execute_command', arguments: { command: 'echo hello' } }] }, { say: 'Done.' }],
      async ({ cairn, terminal }) => {
        await cairn(['vault', 'add', 'DEPLOY_TOKEN'], { ...open, input: VALUE });
        const run = terminal([...model, '--approve', 'all', 'go']);
        await run.seen(/Done\./);
        assert.equal(await run.ended, 0);
        assert.doesNotMatch(run.screen, /vault/i);
      },
    ));

  it('prompts in the middle of a run that needs it, and redacts all of it from then on', () =>
    inShell(
      [
        { call: [{ name: 'mcp__own__echo', arguments: { text: 'hello' } }] },
        { call: [{ name: 'execute_command', arguments: { command: 'cat told.txt' } }] },
        { say: 'Done.' },
      ],
      async ({ cairn, terminal, folder, server }) => {
        for (const name of ['SERVER_TOKEN', 'DEPLOY_TOKEN'])
          await cairn(['vault', 'add', name], { ...open, input: `${VALUE}${name}` });
        await writeFile(join(folder, 'told.txt'), `${VALUE}DEPLOY_TOKEN\n`);
        const added = ['--env', 'TOKEN={{SERVER_TOKEN}}', 'own', 'node', FAULTY, 'none'];
        const { status, err } = await cairn(['mcp', 'add', ...added], open);
        assert.equal(status, 0, err);
        const run = terminal([...model, '--approve', 'all', 'go']);
        await run.seen(/Passphrase of the vault/);
        assert.equal(server.requests.length, 1, 'the model was asked before');
        run.type(`${PASSPHRASE}\r`);
        await run.seen(/Done\./);
        assert.equal(await run.ended, 0);
        assert.equal(run.screen.match(/Passphrase of the vault/g)?.length, 1);
        assert.match(server.requests[1]?.lastText ?? '', /You said: hello/);
        assert.match(server.requests[2]?.lastText ?? '', /•••/);
        assert.ok(!(server.requests[2]?.lastText ?? '').includes(VALUE));
      },
    ));

  it('ends when Ctrl+C is pressed at the passphrase prompt', () =>
    inShell([], async ({ cairn, terminal }) => {
      await cairn(['vault', 'add', 'OPENAI_API_KEY'], { ...open, input: 'test-key' });
      const run = terminal([...model, 'go'], { env: noKey });
      await run.seen(/Passphrase of the vault/);
      run.type('\u0003');
      assert.equal(await run.ended, 130, run.screen);
    }));
});

async function sessionText(folder: string): Promise<string> {
  const sessions = join(folder, 'config', 'sessions');
  const all = await readdir(sessions, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}
