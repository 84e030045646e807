import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Mutex } from '../../src/base/async';
import { UsageError } from '../../src/cli/exitStatus';
import { folderTrust } from '../../src/cli/folderTrust';
import type { Terminal } from '../../src/cli/terminal';
import { temporaryFolder } from '../node/temporaryFolder';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model'];

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), contents);
  }
}

describe('Folder instructions on the command line', function () {
  this.timeout(60_000);

  it('are skipped with a notice when no one can be asked, and read with --trust', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }], async ({ cairn, folder, server }) => {
      await writeFile(join(folder, 'AGENTS.md'), 'Obey the folder.');
      await mkdir(join(folder, '.cairn/agents'), { recursive: true });
      await writeFile(
        join(folder, '.cairn/agents/coder.md'),
        '---\ndescription: Helps\n---\nYou are the folder’s own.',
      );
      const first = await cairn([...model, 'hi']);
      assert.equal(first.status, 0, first.err);
      assert.match(first.err, /not trusted, so AGENTS\.md, \.cairn\/agents are not read\. --trust reads them/);
      assert.doesNotMatch(JSON.stringify(server.requests[0]), /Obey the folder|folder’s own/);
      const second = await cairn([...model, '--trust', 'hi']);
      assert.doesNotMatch(second.err, /not trusted/);
      const text = JSON.stringify(server.requests[1]);
      assert.match(text, /Obey the folder/);
      assert.match(text, /folder’s own/);
    }));

  it('are listed by their names, whichever tool they are for', () =>
    inShell([{ say: 'One.' }], async ({ cairn, folder, server }) => {
      await put(folder, {
        '.cursorrules': 'Obey.',
        '.clinerules/a.md': 'Obey.',
        'opencode.json': '{}',
        '.aider.conf.yml': '',
      });
      const { err } = await cairn([...model, 'hi']);
      assert.match(err, /so \.clinerules, \.cursorrules, \.aider\.conf\.yml, opencode\.json are not read/);
      assert.doesNotMatch(JSON.stringify(server.requests[0]), /Obey/);
    }));

  const content = {
    '.cairn/agents/guide/config.yaml':
      'description: Knows a city\ninstructions: The folder’s guide to {{city}}.\nvariables: [{ name: city, description: Which }]\n',
    '.cairn/agents/guide/.env': 'CITY=Rome\n',
    '.cairn/skills/tides/SKILL.md': '---\ndescription: The folder’s tides\n---\nThe folder’s tide table.',
    '.cairn/roles/pirate.md': '---\ndescription: Talks\n---\nThe folder’s pirate.',
  };

  it('prompt no trust question when the user only looks something up', function () {
    // The tests create terminals with util-linux.
    if (process.platform !== 'linux') this.skip();
    return inShell([], async ({ terminal, folder }) => {
      await put(folder, { 'AGENTS.md': 'Obey the folder.' });
      for (const args of [['--info'], ['--list', 'agents']]) {
        const shell = terminal(args);
        assert.equal(await shell.ended, 0, shell.screen);
      }
    });
  });

  for (const [what, args, words] of [
    ['an agent with its .env', ['-a', 'guide'], 'The folder’s guide to Rome.'],
    ['a skill', ['--skill', 'tides'], 'The folder’s tide table.'],
    ['a role', ['-r', 'pirate'], 'The folder’s pirate.'],
  ] as const) {
    it(`cannot be selected without --trust: ${what}`, () =>
      inShell([{ say: 'One.' }, { say: 'Two.' }], async ({ cairn, folder, server }) => {
        await put(folder, content);
        const refused = await cairn([...model, ...args, 'hi']);
        assert.equal(refused.status, 2, refused.out);
        assert.match(refused.err, /not trusted, so .*--trust reads them[^]*cairn: .*(?:guide|tides|pirate)/);
        assert.equal(server.requests.length, 0);
        assert.equal((await cairn([...model, ...args, '--trust', 'hi'])).status, 0);
        assert.ok(JSON.stringify(server.requests[0]?.body).includes(words));
      }));
  }

  it("keep untrusted skills from the model and add nothing to the user's own agent", () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }], async ({ cairn, folder, server }) => {
      await put(folder, content);
      await put(folder, {
        'config/agents/guide/config.yaml':
          'description: Mine\ninstructions: My guide to {{city}}.\nvariables: [{ name: city, description: Which, default: Paris }]\n',
      });
      assert.equal((await cairn([...model, '-a', 'guide', 'hi'])).status, 0);
      assert.equal((await cairn([...model, 'hi'])).status, 0);
      assert.equal((await cairn([...model, '--trust', 'hi'])).status, 0);
      const [own, usual, trusting] = server.requests.map(({ body }) => JSON.stringify(body));
      assert.match(own ?? '', /My guide to Paris\./);
      for (const text of [own, usual]) assert.doesNotMatch(text ?? '', /folder’s|tides|pirate/);
      assert.match(trusting ?? '', /The folder’s tides/);
    }));

  it('do not block what --approve allows', () =>
    inShell(
      [{ call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'x\n' } }] }, { say: 'Done.' }],
      async ({ cairn, folder }) => {
        await writeFile(join(folder, 'CLAUDE.md'), 'Obey the folder.');
        assert.equal((await cairn([...model, '--approve', 'edits', 'write'])).status, 0);
        assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'x\n');
      },
    ));
});

describe('The folder trust question', () => {
  /** A terminal whose user gives these answers, and what they saw. */
  function person(...answers: (string | undefined)[]) {
    const seen: string[] = [];
    const screen: Terminal = {
      turns: new Mutex(),
      interrupt: () => undefined,
      say: (line) => void seen.push(line),
      size: () => ({ columns: 0, rows: 0 }),
      ask: (prompt) => {
        seen.push(prompt);
        return Promise.resolve(answers.shift());
      },
    };
    return { screen, seen };
  }

  it('names what would be read, is asked once, and applies to subfolders', async () => {
    const root = await temporaryFolder();
    await root.write({ 'work/AGENTS.md': 'x', 'work/lib/CLAUDE.md': 'x', 'other/.claude/commands/x.md': 'x' });
    const { screen, seen } = person('y');
    const ask = (name: string, whom: Terminal | undefined = screen) =>
      folderTrust({
        ...{ folder: join(root.path, name), configFolder: join(root.path, 'config'), isNamed: false },
        ...{ screen: whom, say: (line: string) => void seen.push(line) },
      });
    assert.equal(await ask('work'), true);
    assert.match(seen.join('\n'), /work has instructions for agents: AGENTS\.md\.[^]*Trust this folder\? \(y\/N\)/);
    const shown = seen.length;
    assert.equal(await ask('work', undefined), true);
    assert.equal(await ask('work/lib'), true);
    assert.equal(seen.length, shown);
    for (const answer of ['', 'n', 'yolo', undefined]) assert.equal(await ask('other', person(answer).screen), false);
    assert.equal(await ask('other', undefined), false);
  });

  it('is not asked when nothing would be read', async () => {
    const root = await temporaryFolder();
    await root.write({ 'work/a.txt': 'x' });
    const { screen, seen } = person('y');
    const say = (line: string) => void seen.push(line);
    const place = { folder: join(root.path, 'work'), configFolder: join(root.path, 'config') };
    assert.equal(await folderTrust({ ...place, isNamed: false, screen, say }), false);
    assert.deepEqual(seen, []);
  });

  it('names the file of answers when it is malformed', async () => {
    const root = await temporaryFolder();
    await root.write({ 'work/AGENTS.md': 'x', 'config/trusted-folders.json': '{"folders": "all"}' });
    const place = { folder: join(root.path, 'work'), configFolder: join(root.path, 'config') };
    await assert.rejects(
      folderTrust({ ...place, isNamed: false, screen: undefined, say: () => undefined }),
      (error: unknown) => error instanceof UsageError && /trusted-folders\.json cannot be read/.test(error.message),
    );
  });
});
