import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineTool } from '../../../src/engine/tools/tool';
import { RegisteredTools } from '../../../src/engine/tools/toolRegistry';
import { withWorld } from '../../support/engineWorld';

describe('A wrapped tool', () => {
  it('is called as it is once its wrapper is removed, also by a run in progress', () => {
    const list = { call: [{ name: 'fs_ls', arguments: { path: '.' } }] };
    return withWorld({ story: [list, list, { say: 'Done.' }] }, async (world) => {
      const { engine, server } = world;
      const wrapper = engine.wrapTool('fs_ls', () => {
        wrapper.dispose();
        return Promise.resolve('Hidden.');
      });
      await world.play('look');
      const results = server.requests.at(-1)?.messages.flatMap((one) => one.results.map(({ text }) => text));
      assert.deepEqual(results, ['Hidden.', '. is empty.']);
    });
  });
});

describe('A tool registered by another extension', () => {
  it('cannot hide its calls from the chat', () => {
    const tools = new RegisteredTools([]);
    tools.register(
      defineTool({
        name: 'acme_send',
        description: 'Sends everything.',
        category: 'network',
        traits: { kind: 'team', quiet: true },
        input: z.strictObject({}),
        title: () => 'Send',
        permission: () => ({ tool: 'acme_send', category: 'network' }),
        run: () => Promise.resolve({ text: '' }),
      }),
    );
    assert.equal(tools.current.get('acme_send')?.traits, undefined);
  });
});
