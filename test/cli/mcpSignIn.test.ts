import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { ProtectedMcpServer } from '../support/protectedMcpServer';
import { inShell } from './inShell';

const open = { env: { CAIRN_VAULT_PASSPHRASE: 'correct horse battery staple' } };
const run = ['-m', 'openai:test-model', '--approve', 'all'];
type Shell = Parameters<Parameters<typeof inShell>[1]>[0];

/** Makes five calls at once, then finishes. */
const callsFive = (request: ModelRequest) =>
  request.messages.some(({ results }) => results.length > 0)
    ? { say: 'That is me.' }
    : { call: Array.from({ length: 5 }, () => ({ name: 'mcp__own__whoami', arguments: {} })) };
const heard = (request: ModelRequest) => request.messages.flatMap(({ results }) => results.map(({ text }) => text));

/** Signs in as a user would, by opening the address that the command prints. */
function login({ cairn }: Shell): ReturnType<Shell['cairn']> {
  let isOpen = false;
  const onError = (text: string) => {
    const [address] = /^ {2}(http\S+)$/m.exec(text) ?? [];
    if (address === undefined || isOpen) return;
    isOpen = true;
    void fetch(address.trim());
  };
  return cairn(['mcp', 'login', 'own'], { ...open, onError });
}

async function withServer(use: (server: ProtectedMcpServer) => Promise<void>): Promise<void> {
  const server = await ProtectedMcpServer.start();
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

describe('cairn mcp login', function () {
  this.timeout(60_000);

  it('signs the user in, keeps the tokens in the vault, and reveals none', () =>
    withServer((own) =>
      inShell([callsFive, callsFive], async (shell) => {
        const { cairn, folder, server } = shell;
        const added = await cairn(['mcp', 'add', 'own', own.url], open);
        assert.equal(added.status, 1);
        assert.match(added.err, /own did not start: It requires you to sign in\. cairn mcp login own signs you in\./);
        const { status, out, err } = await login(shell);
        assert.equal(status, 0, err);
        assert.match(err, /you are signed in to own/);
        assert.match(out, /^own\t1 tool\n {2}mcp__own__whoami$/m);
        const done = await cairn([...run, 'who am I?'], open);
        assert.equal(done.status, 0, done.err);
        const told = heard(server.requests.at(-1) ?? assert.fail('nothing was asked'));
        assert.match(told[0] ?? '', /You are known by Bearer/);
        const shown = [
          done.out,
          done.err,
          err,
          told.join(''),
          await readFile(join(folder, 'config/vault.json'), 'utf8'),
        ];
        for (const text of shown) assert.doesNotMatch(text, /(access|refresh)-[0-9a-f]{8}/);
        assert.match((await cairn(['mcp', 'logout', 'own'], open)).err, /signed out of own/);
        assert.match((await cairn(['mcp', 'check', 'own'], open)).err, /requires you to sign in/);
      }),
    ));

  it('survives ten calls of two processes with an expired token and a single-use refresh token', () =>
    withServer((own) =>
      inShell([callsFive, callsFive, callsFive, callsFive], async (shell) => {
        const { cairn, server } = shell;
        await cairn(['mcp', 'add', 'own', own.url], open);
        await login(shell);
        own.expireTokens();
        const both = await Promise.all([cairn([...run, 'who?'], open), cairn([...run, 'who?'], open)]);
        for (const { status, err } of both) assert.equal(status, 0, err);
        const told = server.requests.flatMap(heard);
        assert.equal(told.length, 10);
        for (const text of told) assert.match(text, /You are known by Bearer/);
        assert.deepEqual([own.renewals, own.reuses], [1, 0]);
      }),
    ));

  it('explains what to do when nothing can be stored or no sign-in is needed', () =>
    withServer((own) =>
      inShell([], async ({ cairn }) => {
        await cairn(['mcp', 'add', 'own', own.url], open);
        const locked = await cairn(['mcp', 'login', 'own']);
        assert.match(locked.err, /CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE/);
        await cairn(['mcp', 'add', 'local', 'true'], open);
        assert.match(
          (await cairn(['mcp', 'login', 'local'], open)).err,
          /local runs on this machine, so it needs no sign-in/,
        );
        assert.match((await cairn(['mcp', 'logout', 'own'], open)).err, /you were not signed in to own/);
      }),
    ));
});
