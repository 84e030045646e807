import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { startModelServer } from '../support/modelServer/modelServer';

const PROGRAM = join(repoRoot, 'test', 'fixtures', 'library', 'lookAround.mjs');

describe('A program that imports cairn', () => {
  it('builds agents, starts one that starts others, and prints their results', async () => {
    const root = await mkdtemp(join(tmpdir(), 'cairn-library-'));
    const about = (file: string) => ({ when: ({ lastText }: { lastText: string }) => lastText === file });
    const server = await startModelServer([
      { ...about('a.txt'), step: { say: 'A list of birds.' } },
      { ...about('b.txt'), step: { say: 'A map.' } },
    ]);
    try {
      const folder = join(root, 'folder');
      await mkdir(folder);
      await writeFile(join(folder, 'a.txt'), 'heron');
      await writeFile(join(folder, 'b.txt'), 'north');
      const { code, output } = await runCommand(process.execPath, [PROGRAM, folder, 'openai/gpt-4-test'], {
        cwd: folder,
        timeoutMs: 30_000,
        env: {
          PATH: process.env['PATH'],
          HOME: root,
          CAIRN_CONFIG_DIR: join(root, 'config'),
          OPENAI_BASE_URL: server.url,
          OPENAI_API_KEY: 'test-key',
        },
      });
      assert.equal(code, 0, output);
      assert.match(output, /guide calls a tool\n/);
      assert.match(output, /a\.txt: A list of birds\.\nb\.txt: A map\.\n$/);
      assert.deepEqual(server.requests[0]?.tools, ['fs_read']);
      assert.match(JSON.stringify(server.requests[0].body), /"temperature":0.2/);
    } finally {
      await server.close();
      await rm(root, { recursive: true, force: true });
    }
  });
});
