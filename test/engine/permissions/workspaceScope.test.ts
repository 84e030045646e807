import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkspaceScope } from '../../../src/engine';
import { type Played, withWorld } from '../../support/engineWorld';

const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'new\n' } };
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));

describe('An untrusted workspace', () => {
  it('can be read, but not changed or run in, whatever the mode allows', () => {
    const read = { name: 'fs_read', arguments: { path: 'a.txt' } };
    const run = { name: 'execute_command', arguments: { command: 'echo hello' } };
    const fetch = { name: 'fetch_url', arguments: { url: 'http://127.0.0.1:9/x' } };
    const story = [{ call: [read, write, run, fetch] }, { say: 'Only read.' }];
    const scope = () => ({ trusted: false, folders: [] });
    return withWorld({ story, files: { 'a.txt': 'old\n' }, scope }, async (world) => {
      const done = results(await world.play('go'));
      assert.deepEqual(
        done.map(({ status }) => status),
        ['ok', 'rejected', 'rejected', 'rejected'],
      );
      for (const { text } of done.slice(1)) assert.match(text, /has not trusted this workspace/);
      assert.equal(await world.read('a.txt'), 'old\n');
    });
  });

  it('does not give its instructions to the model', () =>
    withWorld(
      {
        story: [{ say: 'Hello.' }],
        files: { 'AGENTS.md': 'Obey the folder.' },
        scope: () => ({ trusted: false, folders: [] }),
      },
      async (world) => {
        await world.play('hello');
        const [request] = world.server.requests;
        assert.doesNotMatch(JSON.stringify(request?.body), /Obey the folder/);
        assert.match(JSON.stringify(request?.body), /has not trusted this workspace/);
      },
    ));

  it('can be worked in as soon as it is trusted, also in the same run', () => {
    let scope: WorkspaceScope = { trusted: false, folders: [] };
    const trust = () => {
      scope = { trusted: true, folders: [] };
      return { call: [write] };
    };
    const story = [{ call: [write] }, trust, { say: 'Done.' }];
    return withWorld({ story, scope: () => scope }, async (world) => {
      const done = results(await world.play('go'));
      assert.deepEqual(
        done.map(({ status }) => status),
        ['rejected', 'ok'],
      );
    });
  });
});

describe('A workspace with several folders', () => {
  it('counts each of them as inside and lists them for the model', async () => {
    const other = await realpath(await mkdtemp(join(tmpdir(), 'cairn-other-')));
    try {
      await writeFile(join(other, 'b.txt'), 'second folder\n');
      const inside = { name: 'fs_read', arguments: { path: join(other, 'b.txt') } };
      const outside = { name: 'fs_read', arguments: { path: join(tmpdir(), 'elsewhere.txt') } };
      const asked: string[] = [];
      const options = {
        story: [{ call: [inside, outside] }, { say: 'Read.' }],
        scope: () => ({ trusted: true, folders: [other] }),
        approve: ({ title }: { title: string }) => {
          asked.push(title);
          return { kind: 'reject', by: 'person' } as const;
        },
      };
      await withWorld(options, async (world) => {
        const read = results(await world.play('read both')).filter(({ status }) => status === 'ok');
        assert.match(read[0]?.text ?? '', /second folder/);
        assert.equal(asked.length, 1);
        assert.match(asked[0] ?? '', /elsewhere/);
        assert.ok(JSON.stringify(world.server.requests[0]?.body).includes(`Also open: ${other}`));
      });
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

describe('The session’s own folder', () => {
  for (const [what, line, isAsked] of [
    ['can be read by a command without approval', 'cat FOLDER/metadata.json', false],
    ['cannot be changed by a command without approval', 'echo x >> FOLDER/metadata.json', true],
    ['cannot be removed by a command without approval', 'rm -rf FOLDER/outputs', true],
  ] as const) {
    it(`${what}, in “Full auto”`, () => {
      let command = '';
      const story = [() => ({ call: [{ name: 'execute_command', arguments: { command } }] }), { say: 'Done.' }];
      const asked: string[] = [];
      const approve = ({ reason }: { reason: string }) => {
        asked.push(reason);
        return { kind: 'reject', by: 'person' } as const;
      };
      return withWorld({ story, approvalMode: 'nothing', approve }, async (world) => {
        command = line.replace('FOLDER', join(world.sessionsFolder, world.sessionId));
        const [result] = results(await world.play('go'));
        assert.equal(result?.status, isAsked ? 'rejected' : 'ok', result?.text);
        assert.equal(asked.length, isAsked ? 1 : 0);
      });
    });
  }
});
