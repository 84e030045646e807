import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoryStep } from '../support/modelServer/story';
import { inShell } from './inShell';

/** Each agent changes the line that its prompt names, then answers with the result. */
const step: StoryStep = ({ messages, lastText }) => {
  const name = messages.find(({ role }) => role === 'user')?.text ?? '';
  const change = { path: 'a.txt', old_string: `${name}\n`, new_string: `${name} done\n` };
  return messages.some(({ role }) => role === 'tool')
    ? { say: lastText }
    : { call: [{ name: 'fs_edit', arguments: change }] };
};

describe('Several processes', function () {
  this.timeout(60_000);

  it('lose no edit to a file that all of them change', () => {
    const names = Array.from({ length: 6 }, (_, at) => `line${at}`);
    return inShell(
      names.flatMap(() => [step, step]),
      async ({ cairn, folder }) => {
        const file = join(folder, 'a.txt');
        await writeFile(file, names.map((name) => `${name}\n`).join(''));
        const common = ['-m', 'openai:test-model', '--approve', 'all', '-C', folder];
        const told = await Promise.all(names.map((name) => cairn([...common, name])));
        const text = await readFile(file, 'utf8');
        const wrong = told.filter(({ out }, at) => out.startsWith('Wrote') !== text.includes(`${names[at]} done\n`));
        assert.deepEqual(wrong, []);
        assert.ok(told.some(({ out }) => out.startsWith('Wrote')));
      },
    );
  });
});
