import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { inShell } from './inShell';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');

describe('An MCP server on the command line', function () {
  this.timeout(60_000);

  it('can be added from a package or a template', () =>
    inShell([], async ({ cairn, folder }) => {
      // In place of the programs that would fetch something.
      await mkdir(join(folder, 'bin'));
      for (const name of ['npx', 'uvx', 'docker'])
        await writeFile(join(folder, 'bin', name), `#!/bin/sh\nexec "${process.execPath}" "${FAULTY}" none\n`, {
          mode: 0o755,
        });
      const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
      const add = async (...words: string[]) => {
        const { status, err } = await cairn(['mcp', 'add', ...words], { env });
        assert.equal(status, 0, err);
      };
      await add('files', 'npm:@acme/server-files', '-v');
      await add('--env', 'A=b', 'fetching', 'pypi:mcp-server-fetch');
      await add('box', 'docker:mcp/box');
      await add('playwright');
      const { out } = await cairn(['mcp', 'list']);
      assert.deepEqual(
        out.split('\n').map((line) => line.split('\t')[4] ?? ''),
        [
          'npx -y @acme/server-files -v',
          'A=b uvx mcp-server-fetch',
          'docker run -i --rm mcp/box',
          'npx -y @playwright/mcp@latest',
          '',
        ],
      );
      for (const [words, why] of [
        [['x', 'npm:-y'], /-y is not the name of a package/],
        [['nothing'], /takes a command, an address, or a package after the name\. .* one of filesystem, .*github/],
      ] as const) {
        const { status, err } = await cairn(['mcp', 'add', ...words], { env });
        assert.equal(status, 2);
        assert.match(err, why);
      }
    }));
});
