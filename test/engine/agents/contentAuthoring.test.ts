import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Engine, WritingHelp } from '../../../src/engine';
import { CONTENT_FORMATS, KEY_TEXTS } from '../../../src/engine/authoring/contentHelp';
import { schemaKeys } from '../../../src/engine/content/checkContent';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { GRAPH_TEMPLATES } from '../../../src/engine';

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

async function helpFor({ content }: Engine, path: string): Promise<WritingHelp> {
  const place = content.placeOf(path);
  assert.ok(place, path);
  return content.help(place, '');
}

describe('The authoring help for agents, skills and roles', () => {
  it('describes exactly the known keys', () => {
    const known = Object.values(CONTENT_FORMATS).flatMap(({ schema, texts }) =>
      schemaKeys(schema, []).map((key) => `${texts}: ${key}`),
    );
    const inside = ['name', 'description', 'default'].map((key) => `agent: variables.${key}`);
    const told = Object.entries(KEY_TEXTS).flatMap(([format, texts]) =>
      Object.keys(texts).map((key) => `${format}: ${key}`),
    );
    assert.deepEqual(told.sort(), [...new Set([...known, ...inside])].sort());
  });

  it('suggests keys, also nested ones, and values that exist', () =>
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

  it('uses the format that the path of the file implies', () =>
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

describe('An unsaved text', () => {
  const check = async ({ engine, folder }: EngineWorld, file: string, text: string) => {
    const place = engine.content.placeOf(join(folder, file));
    assert.ok(place);
    return engine.content.check(place, text);
  };

  it('is checked as the file it will become, with a suggested fix', () =>
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

  it('may list the tools of scripts in the folder of the workspace', () => {
    const files = { '.cairn/tools/from-folder.sh': 'main() { :; }', '.cairn/agents/a/config.yaml': 'description: A\n' };
    return withWorld({ files }, async ({ engine: { content }, folder }) => {
      const place = content.placeOf(join(folder, '.cairn/agents/a/config.yaml'));
      assert.ok(place);
      const problems = await content.check(place, 'global_tools: [from-folder, gone]\ninstructions: Help.\n');
      assert.deepEqual(
        problems.map(({ message }) => message),
        ['Cairn itself has no tool “gone”; it takes effect when a script or an extension provides it.'],
      );
    });
  });

  it('is not checked as an agent inside an agent folder', () =>
    withWorld(
      { files: { '.cairn/agents/a/config.yaml': 'instructions: A.\n', '.cairn/agents/a/notes.md': 'Notes.\n' } },
      async (world) => {
        assert.deepEqual(await check(world, '.cairn/agents/a/notes.md', 'More notes.\n'), []);
        const [problem] = await check(world, '.cairn/agents/a/config.yaml', 'instrctions: A.\n');
        assert.equal(problem?.meant?.instead, 'instructions');
      },
    ));
});

describe('A new agent, skill or role', () => {
  it('starts from a valid template and is available at once', () =>
    withWorld({}, async ({ engine, folder }) => {
      for (const kind of ['agents', 'skills', 'roles'] as const) {
        const path = await engine.content.create(kind, 'workspace', 'helper');
        assert.ok(path.startsWith(join(folder, '.cairn', kind)), path);
        engine[kind].reload();
        assert.deepEqual(await engine[kind].problems(), []);
        const found = await engine[kind].find('helper');
        assert.deepEqual([found?.source.path, found?.source.scope], [path, 'workspace']);
        assert.match(found?.description ?? '', /helper/);
        await assert.rejects(engine.content.create(kind, 'workspace', 'helper'), /helper.*already exists/);
      }
    }));

  it('has a template whose commented lines are all valid', () =>
    withWorld({}, async ({ engine }) => {
      for (const kind of ['agents', 'skills', 'roles'] as const) {
        const path = await engine.content.create(kind, 'workspace', 'helper');
        const place = engine.content.placeOf(path);
        const text = await engine.content.template(kind);
        assert.ok(place);
        const taken = text.replace(/^# (?=[a-z_]+:|  )/gm, '');
        assert.notEqual(taken, text);
        assert.deepEqual(await engine.content.check(place, taken), []);
      }
    }));

  it('may be a graph from one of several templates, which has no problems and runs in a folder of its own', () =>
    withWorld({}, async ({ engine, folder }) => {
      for (const template of GRAPH_TEMPLATES) {
        const name = `a-${template}`;
        const path = await engine.content.createGraph(template, 'workspace', name);
        assert.equal(path, join(folder, '.cairn/agents', name, 'graph.yaml'));
        engine.agents.reload();
        const [agent, place] = [await engine.agents.find(name), engine.content.placeOf(path)];
        assert.ok(agent?.graph && place);
        assert.match(agent.description, new RegExp(name));
        const { text } = await agent.graph.load();
        assert.doesNotMatch(text, /\{\{name\}\}/);
        assert.deepEqual(await engine.content.check(place, text), []);
        await assert.rejects(engine.content.createGraph(template, 'workspace', name), /already exists/);
      }
      assert.deepEqual(await engine.agents.problems(), []);
    }));

  it('can be copied from a built-in one, which it then overrides', () =>
    withWorld({}, async ({ engine, folder }) => {
      const coder = await engine.agents.find('coder');
      assert.equal(coder?.source.scope, 'builtin');
      assert.equal(await engine.content.copyToWorkspace(coder), join(folder, '.cairn/agents/coder.md'));
      engine.agents.reload();
      assert.equal((await engine.agents.find('coder'))?.source.scope, 'workspace');
      await assert.rejects(engine.content.copyToWorkspace(coder), /already exists/);
    }));

  it('can be copied from a whole folder without its secrets', () =>
    withWorld({}, async ({ engine, folder, configFolder }) => {
      const write = async (file: string, text: string) => {
        const path = join(configFolder, 'agents/team/helper', file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      };
      await write('config.yaml', 'instructions: Help.\n');
      await write('.env', 'KEY=secret\n');
      await write('assets/notes.txt', 'Notes.\n');
      const helper = await engine.agents.find('team/helper');
      assert.ok(helper);
      const copy = await engine.content.copyToWorkspace(helper);
      assert.equal(copy, join(folder, '.cairn/agents/team/helper/config.yaml'));
      assert.equal(
        (await readdir(dirname(copy), { recursive: true })).sort().join(),
        'assets,assets/notes.txt,config.yaml',
      );
    }));

  it('requires a trusted folder', () =>
    withWorld({ contentFolders: [] }, async ({ engine }) => {
      await assert.rejects(engine.content.create('agents', 'workspace', 'helper'), /Open a folder and trust it/);
      const coder = await engine.agents.find('coder');
      assert.ok(coder);
      await assert.rejects(engine.content.copyToWorkspace(coder), /Open a folder and trust it/);
      assert.match(await engine.content.create('agents', 'user', 'helper'), /config\/agents\/helper\.md$/);
    }));
});
