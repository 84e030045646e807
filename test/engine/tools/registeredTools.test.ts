import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineTool } from '../../../src/engine/tools/tool';
import { RegisteredTools } from '../../../src/engine/tools/toolRegistry';

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
