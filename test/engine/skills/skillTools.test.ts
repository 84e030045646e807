import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { commonPrefix, sentParts } from '../../support/sentParts';
import { type EngineWorld, type Played, withWorld } from '../../support/engineWorld';

const load = (name: string) => ({ call: [{ name: 'skill__load', arguments: { name } }] });
const unload = (name: string) => ({ call: [{ name: 'skill__unload', arguments: { name } }] });

/** An agent with one tool besides the ones for skills, and two skills, one of which adds another tool. */
const FILES = {
  '.cairn/agents/reader.md':
    '---\ntools: [fs_read, skill__list, skill__load, skill__unload]\nenabled_skills: [tides, quiet]\n---\nYou read.',
  '.cairn/skills/tides/SKILL.md':
    '---\ndescription: Use it for questions about tides\nenabled_tools: fs_ls\n---\nThe tide table is in {{__cwd__}}.',
  '.cairn/skills/tides/references/moon.md': 'The moon.',
  '.cairn/skills/quiet/SKILL.md': '---\ndescription: Be quiet\nauto_unload: true\n---\nSay little.',
  '.cairn/skills/hidden/SKILL.md': '---\ndescription: Not for this agent\n---\nNo.',
};

const systemOf = (request: ModelRequest | undefined) => request?.messages[0]?.text ?? '';
const played = (world: EngineWorld, text = 'go') => world.play(text, { agent: 'reader' });
const loadedIn = async ({ engine, sessionId }: EngineWorld) => (await engine.sessions.open(sessionId)).metadata.skills;
const types = ({ events }: Played) => events.map(({ type }) => type).filter((type) => type.startsWith('skill-'));

describe('A skill', () => {
  it('is announced by name, and its text comes with the load result; earlier requests stay unchanged (D-16, D-29)', () =>
    withWorld({ files: FILES, story: [load('tides'), { say: 'High water at noon.' }] }, async (world) => {
      const run = await played(world);
      const [first, second] = world.server.requests;
      assert.match(systemOf(first), /- tides: Use it for questions about tides/);
      assert.doesNotMatch(systemOf(first), /hidden|tide table/);
      assert.deepEqual(
        first?.tools,
        ['fs_read', 'fs_ls', 'skill__load', 'skill__unload'],
        'all are named in the prompt',
      );
      assert.match(second?.lastText ?? '', /Its tools are yours now: fs_ls[^]*references\/moon\.md/);
      assert.ok(second?.lastText.includes(`The tide table is in ${world.folder}.`), second?.lastText);
      assert.ok(commonPrefix(sentParts(first), sentParts(second ?? assert.fail())).whole);
      assert.deepEqual(types(run), ['skill-loaded']);
      assert.deepEqual(await loadedIn(world), ['tides']);
    }));

  it('lists its files without those that a link of a repository leads to elsewhere', () =>
    withWorld({ files: FILES, story: [load('tides'), { say: 'Done.' }] }, async (world) => {
      await mkdir(join(world.folder, '../diaries'));
      await writeFile(join(world.folder, '../diaries/monday.md'), 'Dear diary');
      await symlink('../../../../diaries', join(world.folder, '.cairn/skills/tides/more'));
      await played(world);
      const listed = world.server.requests[1]?.lastText ?? '';
      assert.match(listed, /read them when you need them: [^\n]*references\/moon\.md/);
      assert.doesNotMatch(listed, /monday/);
    }));

  it('keeps the text it had when loaded, even if its file changes before the model reads it', () =>
    withWorld(
      {
        files: { ...FILES, '.cairn/skills/tides/.keep': '' },
        approve: () => ({ kind: 'once' }),
        story: [
          {
            call: [
              ...load('quiet').call,
              {
                name: 'fs_write',
                arguments: { path: '.cairn/skills/quiet/SKILL.md', contents: '---\ndescription: Loud\n---\nShout.' },
              },
            ],
          },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('go');
        const sent = world.server.requests[1]?.messages.map(({ text }) => text).join('\n') ?? '';
        assert.match(sent, /Say little\./);
        assert.doesNotMatch(sent, /Shout\./);
      },
    ));

  it('lists at most forty of its files', () => {
    const more = Array.from({ length: 45 }, (_, at) => [`.cairn/skills/tides/notes/n${at}.md`, 'x'] as const);
    return withWorld(
      { files: { ...FILES, ...Object.fromEntries(more) }, story: [load('tides'), { say: 'Done.' }] },
      async (world) => {
        await played(world);
        const told = world.server.requests[1]?.lastText ?? '';
        assert.equal([...told.matchAll(/\.md\b/g)].length, 40);
      },
    );
  });

  it('is listed by a tool when the prompt cannot name them all, with its tools and whether it is loaded', () => {
    const more = Array.from(
      { length: 25 },
      (_, at) => [`.cairn/skills/s${at}/SKILL.md`, `---\ndescription: About ${at}\n---\nX.`] as const,
    );
    const agent = { '.cairn/agents/reader.md': '---\ntools: [fs_read, skill__list, skill__load]\n---\nYou read.' };
    const list = { call: [{ name: 'skill__list', arguments: {} }] };
    return withWorld(
      { files: { ...FILES, ...agent, ...Object.fromEntries(more) }, story: [load('tides'), list, { say: 'Done.' }] },
      async (world) => {
        await played(world);
        const listed = world.server.requests[2]?.lastText.split('\n') ?? [];
        assert.ok(
          listed.includes('- tides (loaded): Use it for questions about tides Adds the tools fs_ls.'),
          listed.join('\n'),
        );
        assert.ok(listed.includes('- quiet: Be quiet') && listed.includes('- s24: About 24'), listed.join('\n'));
      },
    );
  });

  it('is hidden from the model by its file or missing servers, and is offered where its tools are', () =>
    withWorld(
      {
        files: {
          '.cairn/skills/mine/SKILL.md': '---\ndescription: For people\ndisable-model-invocation: true\n---\nX.',
          '.cairn/skills/served/SKILL.md': '---\ndescription: Served\nenabled_mcp_servers: [x]\n---\nX.',
          '.cairn/skills/plain/SKILL.md': '---\ndescription: Plain\n---\nX.',
          '.cairn/agents/boss.md': '---\ncan_spawn_agents: true\n---\nYou lead.',
          '.cairn/agents/alone.md': '---\ntools: [fs_read, skill__load]\n---\nYou read.',
        },
        story: [{ say: 'One.' }, { say: 'Two.' }],
      },
      async (world) => {
        const named = async (agent: string) => {
          await world.play('go', { agent });
          const text = systemOf(world.server.requests.at(-1));
          return ['mine', 'served', 'plain', 'oracle-protocol'].filter((name) => text.includes(`- ${name}:`));
        };
        assert.deepEqual(await named('boss'), ['plain', 'oracle-protocol']);
        assert.deepEqual(await named('alone'), ['plain']);
      },
    ));

  it('adds working tools even if the agent does not have them (D-30)', () =>
    withWorld(
      {
        files: FILES,
        story: [load('tides'), { call: [{ name: 'fs_ls', arguments: { path: '.cairn/skills' } }] }, { say: 'Seen.' }],
      },
      async (world) => {
        await played(world);
        assert.match(world.server.requests[2]?.lastText ?? '', /quiet\//);
      },
    ));

  it('stays loaded in the next run and after a restart', () =>
    withWorld({ files: FILES, story: [load('tides'), { say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await played(world);
      const again = await world.restart();
      await played(again);
      const [, second, third] = world.server.requests.map(sentParts);
      assert.match(third?.join('') ?? '', /The tide table/);
      assert.ok(commonPrefix(second ?? [], third ?? []).whole);
    }));

  it('removes its tools at once when unloaded, even from calls of the same answer', () =>
    withWorld(
      {
        files: FILES,
        story: [
          load('tides'),
          { call: [...unload('tides').call, { name: 'fs_ls', arguments: {} }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const run = await played(world);
        const third = world.server.requests[2];
        assert.match(third?.lastText ?? '', /fs_ls comes with the skill tides, which is not/);
        const parts = world.server.requests.map(sentParts);
        assert.ok(parts.every((one, at) => commonPrefix(parts[at - 1] ?? [], one).whole));
        assert.deepEqual(types(run), ['skill-loaded', 'skill-unloaded']);
      },
    ));

  it('loaded by the user during the run takes effect with the next request', () =>
    withWorld(
      {
        files: FILES,
        story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }], hold: 'first' }, { say: 'Done.' }],
      },
      async (world) => {
        const handle = world.run('go', { agent: 'reader' });
        await world.server.untilRequests(1);
        await (await world.engine.sessions.open(world.sessionId)).configure({ skills: ['tides'] });
        world.server.release('first');
        await handle.outcome;
        const [first, second] = world.server.requests;
        assert.match(second?.messages.at(-1)?.text ?? '', /from Cairn[^]*# Skill: tides\nThe tide table/);
        assert.ok(commonPrefix(sentParts(first ?? assert.fail()), sentParts(second ?? assert.fail())).whole);
      },
    ));

  it('with auto-unload is unloaded at the end of the turn that used it', () =>
    withWorld({ files: FILES, story: [load('quiet'), { say: 'Hm.' }, { say: 'Loud.' }] }, async (world) => {
      const run = await played(world);
      assert.match(world.server.requests[1]?.lastText ?? '', /Say little\./);
      assert.deepEqual(types(run), ['skill-loaded', 'skill-unloaded']);
      await played(world);
      assert.match(world.server.requests[2]?.messages.at(-1)?.text ?? '', /The skill quiet is unloaded/);
    }));

  it('cannot be loaded when not enabled, unknown or already loaded, and the model learns what to do instead', () =>
    withWorld(
      {
        files: FILES,
        story: [load('hidden'), load('tidse'), load('tides'), load('tides'), unload('quiet'), { say: '.' }],
      },
      async (world) => {
        await played(world);
        const said = world.server.requests.map(({ lastText }) => lastText);
        assert.match(said[1] ?? '', /hidden is not enabled here\. Enabled are: quiet, tides/);
        assert.match(said[2] ?? '', /no skill “tidse”\. Did you mean tides\?/);
        assert.match(said[4] ?? '', /already loaded/);
        assert.match(said[5] ?? '', /quiet is not loaded\. Loaded are: tides/);
      },
    ));

  it('adds nothing that the agent’s own rules deny', () =>
    withWorld(
      {
        files: {
          ...FILES,
          '.cairn/agents/reader.md':
            '---\ntools: [fs_read, skill__load]\nskills: [tides]\npermission: { list: deny }\n---\nYou read.',
        },
        story: [{ say: 'Hm.' }],
      },
      async (world) => {
        await played(world);
        assert.match(systemOf(world.server.requests[0]), /# Skill: tides/, 'loaded from the start');
        assert.deepEqual(world.server.requests[0]?.tools, ['fs_read', 'skill__load']);
      },
    ));

  it('is enabled by the user’s list where no other is set, and never if the user hides it', () =>
    withWorld(
      {
        files: { ...FILES, '.cairn/agents/open.md': '---\ntools: [skill__load]\n---\nYou are open.' },
        settings: { skills: { byDefault: ['hidden', 'quiet'], visible: ['tides', 'hidden'] } },
        story: [{ say: 'Open.' }, { say: 'Read.' }],
      },
      async (world) => {
        await world.play('go', { agent: 'open' });
        await played(world);
        const [open, reader] = world.server.requests.map(systemOf);
        assert.match(open ?? '', /- hidden: /);
        assert.doesNotMatch(open ?? '', /- (tides|quiet): /);
        assert.match(reader ?? '', /- tides: /);
        assert.doesNotMatch(reader ?? '', /- (hidden|quiet): /, 'the agent’s own list counts first');
      },
    ));

  it('is neither announced nor loaded where skills are off', () =>
    withWorld({ files: FILES, story: [{ say: '.' }], settings: { skills: { enabled: false } } }, async (world) => {
      await (await world.engine.sessions.open(world.sessionId)).configure({ skills: ['tides'] });
      await played(world);
      assert.doesNotMatch(systemOf(world.server.requests[0]), /tides/);
      assert.deepEqual(world.server.requests[0]?.tools, ['fs_read']);
    }));

  it('that is enabled but missing is reported to the user, and the run continues', () =>
    withWorld(
      {
        files: { ...FILES, '.cairn/agents/reader.md': '---\nenabled_skills: [tides, gone]\n---\nYou read.' },
        story: [{ say: 'Hello.' }],
      },
      async (world) => {
        const { outcome, events } = await played(world);
        assert.equal(outcome.kind, 'completed');
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.deepEqual(notices, [
          'The skill “gone” is enabled, but does not exist. Add it as skills/gone/SKILL.md, or remove it from the list.',
        ]);
      },
    ));
});

describe('An agent’s prompt', () => {
  it('stays identical as long as nothing changes', () =>
    withWorld(
      {
        files: { ...FILES, 'a.txt': 'a' },
        story: [
          load('tides'),
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
          { say: '1' },
          { say: '2' },
        ],
      },
      async (world) => {
        await played(world);
        await played(world);
        const [, second, third, fourth] = world.server.requests.map(systemOf);
        assert.equal(third, second);
        assert.equal(fourth, second);
      },
    ));
});

describe('The files of a skill', () => {
  it('of the user can be read without asking, but not the files around them', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: ({ title }) => ({ kind: 'reject', by: 'person', reason: `asked: ${title}` }),
        story: [
          load('knots'),
          (request) => {
            const folder = /files are in (.*); read them/.exec(request.lastText)?.[1] ?? '';
            const read = (file: string) => ({ name: 'fs_read', arguments: { path: `${folder}/${file}` } });
            return { call: [read('references/bowline.md'), read('../../permissions.json')] };
          },
          { say: 'Read.' },
        ],
      },
      async (world) => {
        const folder = join(world.configFolder, 'skills', 'knots');
        await mkdir(join(folder, 'references'), { recursive: true });
        await writeFile(join(folder, 'SKILL.md'), '---\ndescription: Knots\n---\nSee references.');
        await writeFile(join(folder, 'references', 'bowline.md'), 'The rabbit comes out of the hole.');
        await world.play('knots');
        const results = world.server.requests[2]?.messages.flatMap((message) => message.results) ?? [];
        assert.match(results.at(-2)?.text ?? '', /The rabbit/);
        assert.match(results.at(-1)?.text ?? '', /asked:/);
      },
    ));

  it('of the workspace can be read once it is loaded, but not written, and no link leads out of it', () =>
    withWorld(
      {
        approvalMode: 'nothing',
        approve: ({ title }) => ({ kind: 'reject', by: 'person', reason: `asked: ${title}` }),
        files: {
          '.cairn/skills/tides/SKILL.md': '---\ndescription: Tides\n---\nSee references.',
          '.cairn/skills/tides/references/moon.md': 'The moon pulls.',
          '.cairn/skills/tides/.env': 'KEY=hidden',
          '.cairn/agents/a.md': 'x',
          '.env': 'KEY=hidden',
        },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: '.cairn/skills/tides/references/moon.md' } }] },
          load('tides'),
          {
            call: [
              ...['references/moon.md', 'link.md', '.env', '../../agents/a.md'].map((file) => ({
                name: 'fs_read',
                arguments: { path: `.cairn/skills/tides/${file}` },
              })),
              { name: 'fs_write', arguments: { path: '.cairn/skills/tides/new.md', contents: 'x' } },
            ],
          },
          { say: 'Read.' },
        ],
      },
      async (world) => {
        await symlink('../../../.env', join(world.folder, '.cairn/skills/tides/link.md'));
        await world.play('tides');
        const [, before, , after] = world.server.requests.map(({ messages }) =>
          messages.flatMap(({ results }) => results),
        );
        assert.match(before?.at(-1)?.text ?? '', /asked:/);
        const [moon, ...others] = after?.slice(-5).map(({ text }) => text) ?? [];
        assert.match(moon ?? '', /The moon pulls/);
        assert.equal(others.length, 4);
        for (const text of others) assert.match(text, /asked:/);
      },
    ));

  it('of the workspace stay protected even if the skill’s folder is a link', () =>
    withWorld(
      {
        approvalMode: 'nothing',
        approve: ({ title }) => ({ kind: 'reject', by: 'person', reason: `asked: ${title}` }),
        files: { '.vscode/x/SKILL.md': '---\ndescription: X\n---\nX.', '.vscode/x/secret.json': '{"key": "hidden"}' },
        story: [
          load('x'),
          { call: [{ name: 'fs_read', arguments: { path: '.cairn/skills/x/secret.json' } }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        await mkdir(join(world.folder, '.cairn/skills'), { recursive: true });
        await symlink('../../.vscode/x', join(world.folder, '.cairn/skills/x'));
        await world.play('x');
        assert.doesNotMatch(JSON.stringify(world.server.requests), /hidden/);
      },
    ));
});
