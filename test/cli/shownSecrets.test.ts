import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inShell } from './inShell';

const KEY = 'Zq7Wx9KvJy4Bn2Rt8Lp5';

describe('The cairn command', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('hides its key from a command that reads the environment of its parent', () => {
    // Without ps, reads the file that ps would read.
    const look = 'ps eww -p $1 || tr "\\0" "\\n" < /proc/$1/environ; echo looked';
    const story = [
      { call: [{ name: 'execute_command', arguments: { command: 'sh look.sh $PPID' } }] },
      { say: 'Done.' },
    ];
    return inShell(story, async ({ cairn, folder, server }) => {
      await writeFile(join(folder, 'look.sh'), look);
      const env = { OTHER_SERVICE_TOKEN: KEY };
      const { status, out, err } = await cairn(['-m', 'openai:test-model', '--approve', 'all', 'look'], { env });
      assert.equal(status, 0, err);
      assert.match(server.requests.at(-1)?.lastText ?? '', /OTHER_SERVICE_TOKEN=•••[^]*looked/);
      const kept = await textBelow(folder);
      assert.match(kept, /OTHER_SERVICE_TOKEN=•••/);
      for (const text of [out, err, kept, JSON.stringify(server.requests.map(({ messages }) => messages))])
        assert.ok(!text.includes(KEY) && !/OPENAI_API_KEY=test-key/.test(text), text);
    });
  });
});

async function textBelow(folder: string): Promise<string> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((one) => one.isFile() && one.name.endsWith('l'))
    .map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}
