import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { contentRoots, FOUND_KINDS, RULE_FOLDERS } from '../../../src/engine/content/contentRoots';
import { holdsSecrets } from '../../../src/engine/permissions/repositoryFile';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const SECRET = 'TOKEN=do-not-tell-anyone';

/** Makes one request to the model; returns everything that was sent, and the notices and warnings. */
async function asked(world: EngineWorld) {
  const { outcome, events } = await world.play('hello');
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { outcome, sent: JSON.stringify(world.server.requests), told: [...notices, ...world.warnings].join('\n') };
}

async function link(world: EngineWorld, from: string, to: string): Promise<void> {
  await mkdir(dirname(join(world.folder, from)), { recursive: true });
  await symlink(to, join(world.folder, from));
}

const story = [{ say: 'Hello.' }];

describe('Repository instructions', function () {
  // Links, pipes, and devices are created the Unix way.
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  for (const [what, from, to] of [
    ['to a protected file', 'AGENTS.md', '.env'],
    ['out of the workspace', 'CLAUDE.md', '../outside.txt'],
    ['to a protected file in a folder', '.github/copilot-instructions.md', '../app/.env.local'],
    ['through a linked folder', '.github', '../elsewhere'],
  ] as const)
    it(`are kept from the model when they are a link ${what}, and the user sees why`, () =>
      withWorld({ story, files: { '.env': SECRET, 'app/.env.local': SECRET } }, async (world) => {
        await writeFile(join(world.folder, '../outside.txt'), SECRET);
        await mkdir(join(world.folder, '../elsewhere'));
        await writeFile(join(world.folder, '../elsewhere/copilot-instructions.md'), SECRET);
        await link(world, from, to);
        const { outcome, sent, told } = await asked(world);
        assert.equal(outcome.kind, 'completed');
        assert.doesNotMatch(sent, /do-not-tell/);
        assert.match(told, /were left out: .* is a link .*, so it was not read/);
      }));

  it('are left out when they are too large, without being read', () =>
    withWorld({ story, files: { 'AGENTS.md': SECRET } }, async (world) => {
      // More than can be read at once; the disk stores nothing of it.
      await truncate(join(world.folder, 'AGENTS.md'), 5e9);
      const { outcome, sent, told } = await asked(world);
      assert.equal(outcome.kind, 'completed');
      assert.doesNotMatch(sent, /do-not-tell/);
      assert.match(told, /AGENTS\.md has more than 1 MB/);
    }));

  it('may be a link to another file in the workspace', () =>
    withWorld({ story, files: { 'docs/style.md': 'Use tabs.', '.claude/rules.md': 'Be brief.' } }, async (world) => {
      await link(world, 'CLAUDE.md', 'docs/style.md');
      await link(world, '.github/copilot-instructions.md', '../.claude/rules.md');
      const { sent, told } = await asked(world);
      assert.match(sent, /From CLAUDE\.md[^]*Use tabs/);
      assert.match(sent, /Be brief/);
      assert.equal(told, '');
    }));

  for (const rules of ['.cursorrules', '.clinerules/style.md', 'app/.windsurfrules'])
    it(`may be a link to ${rules}, which another agent reads`, () =>
      withWorld({ story, files: { [rules]: 'Use tabs.' } }, async (world) => {
        await link(world, 'CLAUDE.md', rules);
        const { sent, told } = await asked(world);
        assert.match(sent, /From CLAUDE\.md[^]*Use tabs/);
        assert.equal(told, '');
      }));

  for (const [what, make] of [
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link to an endless device', (path: string) => symlink('/dev/zero', path)],
    ['longer than 1 MB', (path: string) => writeFile(path, 'x'.repeat(1024 * 1024 + 1))],
    ['a folder', (path: string) => mkdir(path)],
  ] as const)
    it(`do not block the run when they are ${what}, and this is reported to the user`, () =>
      withWorld({ story }, async (world) => {
        await make(join(world.folder, 'AGENTS.md'));
        const { outcome, told } = await asked(world);
        assert.equal(outcome.kind, 'completed');
        assert.match(told, /The instructions in AGENTS\.md were left out/);
      }));
});

describe('Repository rules', function () {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  for (const [what, make] of [
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link out of the workspace', (path: string) => symlink('/dev/zero', path)],
  ] as const)
    it(`that are ${what} do not block the run: everything asks and the reason is shown`, () => {
      const reasons: string[] = [];
      const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'x\n' } };
      return withWorld(
        {
          story: [{ call: [write] }, { say: 'Done.' }],
          approve: (request) => {
            reasons.push(JSON.stringify(request));
            return { kind: 'once' };
          },
        },
        async (world) => {
          await mkdir(join(world.folder, '.cairn'));
          await make(join(world.folder, '.cairn/permissions.json'));
          assert.equal((await world.play('write')).outcome.kind, 'completed');
          assert.match(reasons.join(), /permissions\.json is (not a regular file|a link that leads out)/);
        },
      );
    });
});

describe('Repository agents, skills and roles', function () {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('are not read through links out of their own files, and the problem names the file', () =>
    withWorld(
      { story, files: { '.env': SECRET, '.cairn/agents/real.md': '---\ndescription: x\n---\nYou help.' } },
      async (world) => {
        await writeFile(join(world.folder, '../outside.md'), `---\ndescription: x\n---\n${SECRET}`);
        for (const name of ['.cairn/agents/a.md', '.cairn/roles/r.md', '.claude/agents/c.md'])
          await link(world, name, '../../../outside.md');
        await link(world, '.cairn/agents/env.md', '../../.env');
        await link(world, '.cairn/skills/s/SKILL.md', '../../../../outside.md');
        const { agents, roles, skills } = world.engine;
        const names = [...(await agents.list()), ...(await roles.list()), ...(await skills.list())].map(
          (one) => one.name,
        );
        assert.ok(names.includes('real'));
        for (const name of ['a', 'r', 'c', 'env', 's']) assert.ok(!names.includes(name), name);
        const problems = [...(await agents.problems()), ...(await roles.problems()), ...(await skills.problems())];
        assert.equal(problems.filter(({ message }) => /is a link .*, so it was not read/.test(message)).length, 5);
      },
    ));

  it('are not looked for behind a link out of the workspace, which may lead to the whole disk', () =>
    withWorld({ story }, async (world) => {
      const outside = join(world.folder, '../outside/deep/er');
      await mkdir(outside, { recursive: true });
      for (const name of ['a', 'b', 'c']) await writeFile(join(outside, `${name}.md`), '---\ndescription: x\n---\nHi.');
      await link(world, '.claude/agents/all', '../../../outside');
      const problems = (await world.engine.agents.problems()).map(({ path, message }) => `${path}: ${message}`);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', /agents\/all: .*is a link that leads out of the workspace/);
    }));

  it('may be in a folder of another tool behind a link, with what belongs to a skill, but not its secrets', () =>
    withWorld(
      {
        story,
        files: {
          '.agents/skills/tides/SKILL.md': '---\ndescription: Tides\n---\nRead the table.',
          '.agents/skills/tides/scripts/table.py': 'print(1)\n',
          '.agents/skills/tides/.env': SECRET,
          '.aws/skills/heron/SKILL.md': '---\ndescription: Herons\n---\nRead.',
        },
      },
      async (world) => {
        await link(world, '.claude/skills/tides', '../../.agents/skills/tides');
        await link(world, '.claude/skills/heron', '../../.aws/skills/heron');
        const problems = await world.engine.skills.problems();
        assert.deepEqual(problems.map(({ path }) => path.split('/.claude/skills/').at(-1)).sort(), [
          'heron',
          'tides/.env',
        ]);
        const all = (await world.engine.skills.all()).filter(({ name }) => name === 'tides');
        assert.deepEqual(all.map(({ source }) => source.world).sort(), ['claude', 'shared']);
      },
    ));

  it('ignore a .env that is a link out of their folder', () =>
    withWorld(
      {
        story,
        files: {
          '.cairn/agents/guide/config.yaml':
            'instructions: Token {{key}}.\nvariables: [{ name: key, description: A key }]\n',
        },
      },
      async (world) => {
        await writeFile(join(world.folder, '../real.env'), 'LLM_AGENT_VAR_KEY=do-not-tell-anyone\nTOKEN=x\n');
        await link(world, '.cairn/agents/guide/.env', '../../../../real.env');
        const { outcome } = await world.play('hi', { agent: 'guide' });
        assert.equal(outcome.kind, 'failed');
        assert.match(JSON.stringify(outcome), /\.env is a link that leads out/);
        await rm(join(world.folder, '.cairn/agents/guide/.env'));
      },
    ));
});

describe('Protection against being read', () => {
  it('covers no text for agents where tools keep it, but everything else there', async () => {
    const kinds = FOUND_KINDS.flatMap((kind) => contentRoots(kind, { workspaceFolders: ['/w'] }, posix));
    const folders = [...kinds.map(({ folder }) => posix.relative('/w', folder)), ...RULE_FOLDERS].filter(
      (one) => !/\.jsonc?$|^\.(?:roo|kilocode)modes$/.test(one),
    );
    for (const folder of folders)
      for (const [name, isProtected] of [
        ['style.md', false],
        ['style.mdc', false],
        ['notes.txt', false],
        ['.env', true],
      ] as const)
        assert.equal(await holdsSecrets(`${folder}/${name}`), isProtected, `${folder}/${name}`);
    assert.ok((await holdsSecrets('.claude/settings.json')) && (await holdsSecrets('.gemini/settings.json')));
  });
});
