import assert from 'node:assert/strict';
import * as z from 'zod';
import { type ToolWorld, toolWorld } from './toolWorld';

describe('the list of tools', () => {
  let world: ToolWorld;
  before(async () => {
    world = await toolWorld();
  });
  after(() => world.remove());

  it('stays under 10 kB for an agent that works alone, and under 16 kB for others, since every request carries it', () => {
    const alone = world.tools.filter(({ name }) => name !== 'task' && !name.startsWith('agent__'));
    assert.ok(sizeOf(alone) < 10_000, `${sizeOf(alone)} bytes`);
    assert.ok(sizeOf(world.tools) < 16_000, `${sizeOf(world.tools)} bytes`);
  });

  it('refuses parameters that a tool does not have', () => {
    for (const tool of world.tools) {
      const bound = tool.bind({ nonsense: true });
      assert.ok(!bound.ok && /nonsense/.test(bound.issues), tool.name);
    }
  });
});

function sizeOf(tools: ToolWorld['tools']): number {
  const specs = tools.map(({ name, description, input }) => ({
    name,
    description,
    parameters: z.toJSONSchema(input, { io: 'input' }),
  }));
  return Buffer.byteLength(JSON.stringify(specs));
}
