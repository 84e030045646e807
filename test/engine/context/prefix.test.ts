import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { commonPrefix, sentParts } from '../../support/sentParts';
import { call } from '../agents/team/teamStory';

const DAY = 24 * 3_600_000;
const TIDES = '.cairn/skills/tides/SKILL.md';
const FILES = {
  '.cairn/agents/clerk.md': [
    '---\ndescription: x\nauto_continue: true\nenabled_skills: [tides]\n---',
    'It is {{__now__}}. You write {{__cwd__}} down.',
  ].join('\n'),
  '.cairn/agents/reader.md':
    '---\ndescription: x\ntools: [fs_read, fs_write, skill__load]\nenabled_skills: [tides]\n---\nYou read.',
  [TIDES]: '---\ndescription: Tides\nenabled_tools: [fs_ls]\n---\nThe tide table.',
  'AGENTS.md': 'Use tabs.',
  'a.txt': 'a',
};

const AGENT = { agent: 'clerk' };
const brokenIn = (world: EngineWorld) => {
  const parts = world.server.requests.map(sentParts);
  return parts.flatMap((one, at) => (commonPrefix(parts[at - 1] ?? [], one).whole ? [] : [at]));
};
const lastSaid = ({ server }: EngineWorld) => server.requests.at(-1)?.messages.map(({ text }) => text) ?? [];

const keyed = z.looseObject({ prompt_cache_key: z.string().optional() });
const cacheKeys = ({ server }: EngineWorld) =>
  server.requests.map(({ body }) => keyed.parse(body).prompt_cache_key ?? 'none');

const PROTOCOLS = [
  { speaks: 'Chat Completions', model: 'openai:test-model', openai: {} },
  { speaks: 'Responses', model: 'openai:test-model', openai: { api: 'responses' as const } },
  { speaks: 'Messages', model: 'anthropic:test-model', openai: {} },
];

describe('The request prefix', () => {
  for (const { speaks, model, openai } of PROTOCOLS) {
    it(`is stable over ${speaks}: rounds, skills, steering, edits of AGENTS.md, midnight, another process`, () => {
      let now = Date.now();
      return withWorld(
        {
          files: FILES,
          settings: { openai },
          now: () => (now += 2000),
          story: [
            call('todo__init', { todos: ['one'] }),
            call('skill__load', { name: 'tides' }),
            { call: ['a.txt', 'AGENTS.md'].map((path) => ({ name: 'fs_read', arguments: { path } })) },
            call('fs_write', { path: 'AGENTS.md', contents: 'Use spaces.' }),
            call('skill__unload', { name: 'tides' }),
            { say: 'Soon.' },
            call('todo__done', { id: 1 }),
            { say: 'One.' },
            { say: 'Two.' },
            { say: 'Three.' },
          ],
        },
        async (world) => {
          const handle = world.run('first', { ...AGENT, model });
          let answers = 0;
          handle.subscribe(({ type }) => {
            if (type === 'reply-finished' && ++answers === 3) handle.send('by the way');
          });
          assert.equal((await handle.outcome).kind, 'completed');
          now += DAY;
          assert.equal((await world.play('second', { ...AGENT, model })).outcome.kind, 'completed');
          assert.match(lastSaid(world).join('\n'), /from Cairn[^]*- Date: [^]*# From AGENTS\.md[^]*Use spaces\./);
          const again = await world.restart();
          assert.equal((await again.play('third', { ...AGENT, model })).outcome.kind, 'completed');
          assert.deepEqual(brokenIn(world), []);
        },
      );
    });
  }

  it('is stable when the user trusts the folder, with a notice to the model', () => {
    let trusted = false;
    return withWorld(
      {
        files: FILES,
        scope: () => ({ folders: [], trusted }),
        story: [{ say: 'One.' }, { say: 'Two.' }],
      },
      async (world) => {
        await world.play('first');
        trusted = true;
        await world.play('second');
        const [first, second] = world.server.requests.map(({ messages }) => messages);
        assert.equal(second?.[0]?.text, first?.[0]?.text);
        assert.match(second?.at(-1)?.text ?? '', /The user trusts this workspace now[^]*Use tabs\./);
      },
    );
  });

  it('is stable when instructions are removed, which is reported once', () =>
    withWorld({ files: FILES, story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }] }, async (world) => {
      await world.play('first', AGENT);
      await rm(join(world.folder, 'AGENTS.md'));
      await world.play('second', AGENT);
      await world.play('third', AGENT);
      const told = lastSaid(world).filter((text) => text.includes('AGENTS.md of this workspace is gone'));
      assert.equal(told.length, 1);
      assert.deepEqual(brokenIn(world), []);
    }));

  it('is stable when the agent edits the description and tools of a skill, which is reported once', () => {
    const contents = '---\ndescription: Moon and tides\nenabled_tools: [fs_grep]\n---\nThe tide table.';
    const edit = call('fs_write', { path: TIDES, contents });
    const [see, look] = [TIDES, 'a.txt'].map((path) => call('fs_read', { path }));
    assert.ok(see && look);
    return withWorld({ files: FILES, story: [see, edit, look, look, { say: 'One.' }] }, async (world) => {
      const handle = world.run('first', { agent: 'reader' });
      handle.subscribe((event) => {
        // Reloads explicitly, because the file watcher may report the change later.
        if (event.type === 'tool-finished' && event.result.name === 'fs_write') world.engine.skills.reload();
      });
      assert.equal((await handle.outcome).kind, 'completed');
      assert.deepEqual(brokenIn(world), []);
      const told = lastSaid(world).filter((text) => text.includes('- tides: Moon and tides'));
      assert.deepEqual([told.length, told[0]?.slice(0, 18)], [1, 'This is from Cairn']);
    });
  });

  it('is rebuilt from current facts after a compaction', () =>
    withWorld({ files: FILES, story: ['One.', 'Two.', 'NOTES', 'Three.'].map((say) => ({ say })) }, async (world) => {
      await world.play('first', AGENT);
      await writeFile(join(world.folder, 'AGENTS.md'), 'Use spaces.');
      await world.play('second', AGENT);
      await world.play(undefined, { ...AGENT, compacts: true });
      await world.play('third', AGENT);
      assert.match(lastSaid(world)[0] ?? '', /Use spaces\./);
      assert.deepEqual(brokenIn(world), [3]);
    }));
});

describe('The cache key for Responses', () => {
  it('is the same for all requests of a session, including summaries, and differs per session', () =>
    withWorld(
      {
        settings: { openai: { api: 'responses' } },
        story: [call('fs_ls'), ...['One.', 'Two.', 'NOTES', 'Three.', 'Four.'].map((say) => ({ say }))],
      },
      async (world) => {
        await world.play('first');
        await world.play('second');
        await world.play(undefined, { compacts: true });
        await world.play('third');
        const { workspace, model, approvalMode } = (await world.engine.sessions.open(world.sessionId)).metadata;
        const other = await world.engine.sessions.create({ workspace, model, approvalMode, name: null });
        await world.play('first', { sessionId: other.id });
        const keys = cacheKeys(world);
        assert.deepEqual(keys.slice(0, 5), Array(5).fill(keys[0]));
        assert.equal(new Set(keys).size, 2, keys.join());
        assert.ok(!keys.includes('none'));
      },
    ));
});
