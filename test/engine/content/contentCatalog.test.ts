import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { poll } from '../../node/poll';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const agent = (description: string) => `---\ndescription: ${description}\n---\nYou are ${description}.`;

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const described = async ({ engine }: EngineWorld, name: string) => (await engine.agents.find(name))?.description;

describe('The agent catalog', () => {
  it('prefers the workspace to the user, the user to built-ins, and our files to others', () =>
    withWorld({}, async (world) => {
      const { engine, folder, configFolder } = world;
      await put(join(configFolder, 'agents/coder.md'), agent('the own coder'));
      await put(join(configFolder, 'agents/mine.md'), agent('the own one'));
      await put(join(folder, '.claude/agents/mine.md'), agent('the one of Claude'));
      await put(join(folder, '.opencode/agents/both.md'), agent('the one of OpenCode'));
      await put(join(folder, '.cairn/agents/both.md'), agent('the one of Cairn'));
      engine.agents.reload();
      assert.equal(await described(world, 'coder'), 'the own coder');
      assert.equal(await described(world, 'mine'), 'the one of Claude');
      assert.equal(await described(world, 'both'), 'the one of Cairn');
      const all = await engine.agents.all();
      assert.deepEqual(
        all.filter(({ name }) => name === 'coder').map(({ source }) => source.scope),
        ['builtin', 'user'],
      );
      const names = (await engine.agents.list()).map(({ name }) => name);
      assert.deepEqual(
        names,
        [...names].sort((a, b) => a.localeCompare(b)),
      );
    }));

  it('hides an agent that a later file disables, but still knows it', () =>
    withWorld({ files: { '.cairn/agents/demo.md': '---\ndisable: true\n---\n' } }, async ({ engine }) => {
      assert.equal(await engine.agents.find('demo'), undefined);
      assert.ok(!(await engine.agents.list()).some(({ name }) => name === 'demo'));
      const all = (await engine.agents.all()).filter(({ name }) => name === 'demo');
      assert.deepEqual(
        all.map(({ source, disabled }) => [source.scope, disabled]),
        [
          ['builtin', undefined],
          ['workspace', true],
        ],
      );
      assert.deepEqual(await engine.agents.problems(), []);
    }));

  it('prefers an inserted agent to all others until it is removed', () =>
    withWorld({}, async (world) => {
      const coder = await world.engine.agents.find('coder');
      assert.ok(coder);
      const inserted = { ...coder, description: 'inserted' };
      world.engine.agents.insert(inserted);
      assert.equal(await described(world, 'coder'), 'inserted');
      world.engine.agents.remove(inserted);
      assert.equal(await described(world, 'coder'), coder.description);
    }));

  it('follows file changes, and an agent already in use stays unchanged', () =>
    withWorld({}, async (world) => {
      const file = join(world.folder, '.cairn/agents/live.md');
      const is = (what: string | undefined) =>
        poll(`the agent to be ${String(what)}`, async () => (await described(world, 'live')) === what);
      await is(undefined);
      await put(file, agent('new'));
      await is('new');
      const held = await world.engine.agents.find('live');
      await put(file, agent('changed'));
      await is('changed');
      assert.equal(held?.description, 'new');
      await put(file, '---\ntypo: x\n---\nYou.');
      await is(undefined);
      const problems = (await world.engine.agents.problems()).filter(({ path }) => path === file);
      assert.deepEqual(
        problems.map(({ line, column }) => [line, column]),
        [[2, 1]],
      );
      await put(file, agent('mended'));
      await is('mended');
      await rm(join(world.folder, '.cairn'), { recursive: true });
      await is(undefined);
    }));

  it('notifies listeners of changes', () =>
    withWorld({}, async ({ engine, folder }) => {
      await engine.agents.list();
      let told = 0;
      const listening = engine.agents.onChanged(() => {
        told += 1;
      });
      await put(join(folder, '.claude/agents/a.md'), agent('a'));
      await poll('to be told', () => told > 0);
      listening.dispose();
    }));
});
