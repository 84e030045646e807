import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';

const FILES = {
  '.cairn/agents/helper/config.yaml':
    'name: helper\nauto_continue: true\ncan_spawn_agents: true\ninstructions: |\n  You help.\n',
  '.cairn/agents/helper/tools.sh': '#!/usr/bin/env bash\n# @cmd Look\nlook() { ls; }\n',
};

describe('An agent', () => {
  it('gets its instructions once, also in a continued session and after a restart (D-20)', () =>
    withWorld({ files: FILES, story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }] }, async (world) => {
      await world.play('one', { agent: 'helper' });
      await world.play('two', { agent: 'helper' });
      await (await world.restart()).play('three', { agent: 'helper' });
      const prompts = world.server.requests.map(({ messages }) => messages[0]?.text ?? '');
      assert.equal(new Set(prompts).size, 1);
      for (const part of ['You help.', '# To-dos', '# Other agents', '# Asking the user', '# Where you are']) {
        assert.equal(prompts[0]?.split(part).length, 2, part);
      }
    }));

  it('is read without modifying its files (D-21)', () =>
    withWorld({ files: FILES, story: [{ say: '.' }] }, async (world) => {
      const paths = Object.keys(FILES).map((file) => join(world.folder, file));
      const look = () =>
        Promise.all(paths.map(async (path) => [await readFile(path, 'utf8'), (await stat(path)).mtimeMs]));
      const before = await look();
      await world.play('go', { agent: 'helper' });
      await world.engine.agents.problems();
      assert.deepEqual(await look(), before);
    }));
});
