import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentEvent, type ApprovalRequest, exportSession } from '../../../src/engine';
import { KnownSecrets } from '../../../src/engine/secrets/knownSecrets';
import { type EngineWorld, type Played, withWorld, type WorldOptions } from '../../support/engineWorld';
import type { StepCall } from '../../support/modelServer/story';

const KEY = 'Zq7/Wx+9Kv=Jy4&Bn2%Rt8-Lp5';
const FORMS = [KEY, Buffer.from(KEY).toString('base64').slice(0, 30), encodeURIComponent(KEY)];
const world = (options: WorldOptions, use: (world: EngineWorld) => Promise<void>) =>
  withWorld({ key: KEY, acceptedKey: KEY, ...options }, use);
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));
const deltas = (events: readonly AgentEvent[], type: 'text-delta' | 'thinking-delta') =>
  events.flatMap((one) => (one.type === type ? [one.text] : []));

function assertFree(where: string, text: string): void {
  for (const form of FORMS) assert.ok(!text.includes(form), `${where}: ${text.slice(0, 2000)}`);
}

/** Asserts that nothing that is stored of a session, emitted for it, or sent contains the key. */
async function assertUnsaid({ engine, sessionId, configFolder, server, warnings }: EngineWorld, played: unknown) {
  const session = await engine.sessions.open(sessionId);
  for (const name of ['history.jsonl', 'metadata.json'])
    assertFree(name, await readFile(join(session.folder, name), 'utf8'));
  assertFree('audit', await readFile(join(configFolder, 'audit.jsonl'), 'utf8').catch(() => ''));
  assertFree('told', JSON.stringify(played));
  for (const format of ['json', 'markdown'] as const) assertFree(format, exportSession(session, format));
  assertFree('requests', JSON.stringify(server.requests.map(({ messages }) => messages)));
  assertFree('log', warnings.join('\n'));
}

describe('A secret written by the model', () => {
  for (const chunk of [1, 7, 1000]) {
    it(`is masked in its answer and thinking, streamed ${chunk} characters at a time`, () =>
      world(
        { story: [{ think: `It must be ${KEY}.`, signature: 'proof', say: `Your key is ${KEY}, as I said.`, chunk }] },
        async (one) => {
          const played = await one.play('Which key?', { model: 'anthropic:test-model' });
          const { outcome, events } = played;
          assert.ok(outcome.kind === 'completed', JSON.stringify(outcome));
          assert.equal(outcome.answer, 'Your key is •••, as I said.');
          assert.equal(deltas(events, 'text-delta').join(''), 'Your key is •••, as I said.');
          assert.equal(deltas(events, 'thinking-delta').join(''), 'It must be •••.');
          await assertUnsaid(one, played);
        },
      ));
  }

  for (const size of [1, 5, 1000]) {
    it(`is masked in the progress of a contributed tool, ${size} characters at a time`, () =>
      world({ story: [{ call: [{ name: 'acme_told', arguments: {} }] }, { say: 'Done.' }] }, async (one) => {
        one.engine.registerTool({
          ...{ name: 'acme_told', description: 'Tells', category: 'network', inputSchema: { type: 'object' } },
          run: (_, { report }) => {
            const text = `It is ${KEY}, or ${KEY.slice(0, 9)}`;
            for (let at = 0; at < text.length; at += size) report(text.slice(at, at + size));
            return Promise.resolve('Told.');
          },
        });
        const { events } = await one.play('go');
        const chunks = events.flatMap((event) => (event.type === 'tool-progress' ? [event.chunk] : []));
        assert.equal(chunks.join(''), `It is •••, or ${KEY.slice(0, 9)}`);
        assertFree('chunks', chunks.join(''));
      }));
  }

  it('is masked in the file with the whole of a long result of a contributed tool', () =>
    world({ story: [{ call: [{ name: 'acme_told', arguments: {} }] }, { say: 'Done.' }] }, async (one) => {
      one.engine.registerTool({
        ...{ name: 'acme_told', description: 'Tells', category: 'network', inputSchema: { type: 'object' } },
        run: () => Promise.resolve(`${'a line\n'.repeat(10_000)}${KEY}\n${'a line\n'.repeat(10_000)}`),
      });
      const played = await one.play('go');
      const [told] = results(played);
      const [, file = ''] = /The whole output is in (\S+\.txt)\./.exec(told?.text ?? '') ?? [];
      const saved = await readFile(file, 'utf8');
      assert.ok(saved.includes('\n•••\n'));
      assertFree('file', saved);
    }));

  it('reaches the running call and the file it writes, but nothing that is saved or shown', () => {
    const asked: ApprovalRequest[] = [];
    const calls: StepCall[] = [
      { name: 'execute_command', arguments: { command: `echo 'key=${KEY}' > out.txt; echo done` } },
      { name: 'fs_write', arguments: { path: 'config.txt', contents: `key=${KEY}\n` } },
      { name: 'todo__init', arguments: { todos: [`Use ${KEY}`, 'Go on'] } },
    ];
    return world(
      {
        story: [{ call: calls }, { say: 'Done.' }],
        approvalMode: 'everything',
        settings: { autoContinue: false },
        approve(request) {
          asked.push(request);
          return { kind: 'once' };
        },
      },
      async (one) => {
        const played = await one.play('go');
        assert.equal(await one.read('out.txt'), `key=${KEY}\n`);
        assert.equal(await one.read('config.txt'), `key=${KEY}\n`);
        await assertUnsaid(one, played);
        const [command, write] = asked;
        assert.equal(command?.command, "echo 'key=•••' > out.txt; echo done");
        assert.equal(write?.change?.after, `key=${KEY}\n`, 'the editor shows the file as it will be');
        assertFree('what the card shows', JSON.stringify(asked.map((request) => ({ ...request, change: null }))));
        const again = await one.restart();
        const { todos } = await again.engine.sessions.open(one.sessionId);
        assert.deepEqual(
          todos.items.map(({ text }) => text),
          ['Use •••', 'Go on'],
        );
      },
    );
  });

  it('is recognized in arguments however its characters are escaped', () => {
    const escaped = Array.from(KEY, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const call = { name: 'fs_write', arguments: `{"path":"config.txt","contents":"key=${escaped}"}` };
    return world({ story: [{ call: [call] }, { say: 'Done.' }] }, async (one) => {
      const played = await one.play('go');
      assert.equal(await one.read('config.txt'), `key=${KEY}`);
      await assertUnsaid(one, played);
      const history = await readFile(join(one.sessionsFolder, one.sessionId, 'history.jsonl'), 'utf8');
      assert.ok(!history.includes(escaped.slice(1, 40)) && history.includes('key=•••'));
    });
  });

  it('is not saved in a pending call, which does not run with the mask instead', () => {
    const story = [
      { call: [{ name: 'fs_write', arguments: { path: 'config.txt', contents: `key=${KEY}\n` } }] },
      { say: 'Done.' },
    ];
    let waits: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    const approve: WorldOptions['approve'] = (_request, signal) => {
      waits();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    };
    return world({ story, approvalMode: 'everything', approve }, async (one) => {
      const handle = one.run('go');
      await waiting;
      handle.shutDown();
      await handle.outcome;
      const again = await one.restart();
      const [result] = results(await again.play(undefined));
      assert.equal(result?.status, 'error');
      assert.match(result.text, /not carried out.*the secret in its arguments was not kept\. Call it again/);
      await assert.rejects(one.read('config.txt'));
    });
  });
});

describe('A saved secret', () => {
  it('is known to the next run after it is stored, even if not yet used with a model', async () => {
    const stored = new Map<string, string>();
    const secrets = new KnownSecrets({ get: (name) => Promise.resolve(stored.get(name)) });
    await secrets.ready();
    stored.set('apiKey.anthropic', KEY);
    await secrets.lookAgain();
    assert.equal(secrets.strike(`key=${KEY}`), 'key=•••');
  });

  it('with several lines is masked line by line, as changes are shown that way', () => {
    const lines = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw', 'ggSjAgEAAoIBAQC7VJTUt9Us8cKjMzEfYyji', 'short'];
    const pem = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
    const secrets = new KnownSecrets({ get: () => Promise.resolve(undefined), hidden: () => [pem] });
    assert.deepEqual(
      lines.map((line) => secrets.strike(`+${line}`)),
      ['+•••', '+•••', '+short'],
    );
    assert.equal(secrets.strike('-----BEGIN PRIVATE KEY-----'), '-----BEGIN PRIVATE KEY-----');
  });
});

describe('A secret in a file', () => {
  const env = `# settings\nNAME=cairn\nKEY=${KEY}\n`;
  const read = { name: 'fs_read', arguments: { path: 'settings.txt' } };
  const write = {
    name: 'fs_write',
    arguments: { path: 'settings.txt', contents: '# settings\nNAME=menhir\nKEY=•••\n' },
  };
  const edit = (old: string, now: string) => ({
    name: 'fs_edit',
    arguments: { path: 'settings.txt', old_string: old, new_string: now },
  });
  const oneByOne = (...calls: StepCall[]) => [...calls.map((call) => ({ call: [call] })), { say: 'Done.' }];

  it('is not overwritten by the mask that the model saw, and other lines can be changed', () =>
    world(
      {
        files: { 'settings.txt': env },
        story: oneByOne(
          read,
          write,
          edit('KEY=•••', 'KEY=••• # mine'),
          edit('NAME=cairn', 'NAME=menhir\nCOPY=•••'),
          {
            name: 'fs_patch',
            arguments: { path: 'settings.txt', contents: '@@ -2,1 +2,2 @@\n NAME=cairn\n+COPY=•••\n' },
          },
          edit('NAME=cairn', 'NAME=menhir'),
        ),
      },
      async (one) => {
        const played = await one.play('rename it');
        const [, whole, marked, copied, patched, renamed] = results(played);
        assert.match(
          whole?.text ?? '',
          /settings\.txt holds a secret that you are shown as •••.*nothing was written.*fs_edit/,
        );
        assert.match(marked?.text ?? '', /stands for a secret that you are not shown: choose a text without it/);
        assert.match(copied?.text ?? '', /nothing was written/);
        assert.match(patched?.text ?? '', /nothing was written/);
        assert.equal(renamed?.status, 'ok');
        assert.equal(await one.read('settings.txt'), env.replace('cairn', 'menhir'));
        await assertUnsaid(one, played);
      },
    ));

  it('does not block writing a file that contains the mask literally', () =>
    world({ files: { 'settings.txt': 'Shown as •••.\n' }, story: oneByOne(read, write) }, async (one) => {
      assert.equal(results(await one.play('go'))[1]?.status, 'ok');
      assert.match(await one.read('settings.txt'), /menhir/);
    }));

  it('is masked in the project instructions for the model', () =>
    world({ files: { 'AGENTS.md': `Deploy with ${KEY}.` }, story: [{ say: 'Hello.' }] }, async (one) => {
      const played = await one.play('hi');
      assert.match(JSON.stringify(one.server.requests[0]?.messages), /Deploy with •••\./);
      await assertUnsaid(one, played);
    }));
});
