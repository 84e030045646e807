import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ContentHelp, Engine } from '../../../src/engine';
import { CONTENT_FORMATS, KEY_TEXTS } from '../../../src/engine/agents/help/contentHelp';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

async function helpFor({ content }: Engine, path: string): Promise<ContentHelp> {
  const place = content.placeOf(path);
  assert.ok(place, path);
  return content.help(place);
}

describe('the help for writing agents, skills and roles', () => {
  it('says of every key what it means, and of no other', () => {
    const known = Object.values(CONTENT_FORMATS).flatMap(({ schema, texts }) =>
      Object.keys(schema.shape).map((key) => `${texts}: ${key}`),
    );
    const inside = ['name', 'description', 'default'].map((key) => `agent: variables.${key}`);
    const told = Object.entries(KEY_TEXTS).flatMap(([format, texts]) =>
      Object.keys(texts).map((key) => `${format}: ${key}`),
    );
    assert.deepEqual(told.sort(), [...new Set([...known, ...inside])].sort());
  });

  it('knows keys, also inside of others, and values by what there is', () =>
    withWorld({ files: { '.cairn/agents/lead.md': '---\ndescription: Leads\n---\nLead.\n' } }, async (world) => {
      const help = await helpFor(world.engine, join(world.folder, '.cairn/agents/new.md'));
      assert.ok(names(await help.keys([])).includes('conversation_starters'));
      assert.deepEqual(names(await help.keys(['variables', 0])), ['name', 'description', 'default']);
      assert.ok(names(await help.keys(['permission'])).includes('bash'));
      assert.ok(names(await help.keys(['permission', 'task'])).includes('lead'));
      assert.deepEqual(names(await help.values(['mode'])), ['primary', 'subagent', 'all']);
      assert.deepEqual(names(await help.values(['hidden'])), ['true', 'false']);
      assert.deepEqual(names(await help.values(['permission', 'bash'])), ['allow', 'ask', 'deny']);
      assert.ok(names(await help.values(['spawnable_agents', 0])).includes('lead'));
      assert.ok(names(await help.values(['skills'])).includes('git-master'));
      assert.ok(names(await help.values(['tools', 0])).includes('fs_read'));
      assert.ok(names(await help.values(['model'])).some((name) => name.startsWith('anthropic:')));
      assert.match(help.describe(['mode']) ?? '', /subagent/);
    }));

  it('speaks of the format that a file has by its place', () =>
    withWorld({}, async ({ engine, folder }) => {
      const keysOf = async (path: string) => names(await (await helpFor(engine, join(folder, path))).keys([]));
      assert.ok((await keysOf('.claude/agents/a.md')).includes('disallowedTools'));
      assert.ok((await keysOf('.github/agents/a.agent.md')).includes('user-invocable'));
      assert.ok((await keysOf('.cairn/agents/a/config.yaml')).includes('instructions'));
      assert.ok((await keysOf('.agents/skills/a/SKILL.md')).includes('allowed-tools'));
      assert.ok((await keysOf('.cairn/roles/a.md')).includes('answer'));
      const claude = await helpFor(engine, join(folder, '.claude/agents/a.md'));
      assert.ok(names(await claude.values(['tools'])).includes('Grep'));
      assert.ok(names(await claude.values(['model'])).includes('inherit'));
      for (const other of ['README.md', '.cairn/skills/a/notes.md', '.cairn/agents/a.txt', 'src/agents/a.md']) {
        assert.equal(engine.content.placeOf(join(folder, other)), undefined, other);
      }
    }));
});

describe('a text that is not saved', () => {
  const check = async ({ engine, folder }: EngineWorld, file: string, text: string) => {
    const place = engine.content.placeOf(join(folder, file));
    assert.ok(place);
    return engine.content.check(place, text);
  };

  it('is checked as the file that it will be, with what was most likely meant', () =>
    withWorld({ files: { '.cairn/agents/a.md': '---\n---\nA.\n' } }, async (world) => {
      const [key, ...none] = await check(world, '.cairn/agents/a.md', '---\ndescripton: x\n---\nA.\n');
      assert.deepEqual([key?.line, key?.column, key?.severity], [2, 1, 'error']);
      assert.deepEqual(key?.meant, { written: 'descripton', instead: 'description' });
      assert.deepEqual(none, []);
      const [value] = await check(world, '.cairn/agents/a.md', '---\nmode: primry\n---\nA.\n');
      assert.deepEqual([value?.line, value?.column, value?.meant?.instead], [2, 7, 'primary']);
      const [tool] = await check(world, '.cairn/agents/a.md', '---\ntools: [fs_raed]\n---\nA.\n');
      assert.deepEqual([tool?.severity, tool?.meant?.instead], ['warning', 'fs_read']);
      const [rule] = await check(world, '.cairn/agents/a.md', '---\npermission:\n  eddit: deny\n---\nA.\n');
      assert.deepEqual([rule?.line, rule?.meant?.instead], [3, 'edit']);
    }));

  it('is no agent in the folder of one', () =>
    withWorld(
      { files: { '.cairn/agents/a/config.yaml': 'instructions: A.\n', '.cairn/agents/a/notes.md': 'Notes.\n' } },
      async (world) => {
        assert.deepEqual(await check(world, '.cairn/agents/a/notes.md', 'More notes.\n'), []);
        const [problem] = await check(world, '.cairn/agents/a/config.yaml', 'instrctions: A.\n');
        assert.equal(problem?.meant?.instead, 'instructions');
      },
    ));
});
