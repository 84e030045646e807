import assert from 'node:assert/strict';
import * as z from 'zod';
import { type ToolWorld, toolWorld } from './toolWorld';

describe('the list of tools', () => {
  let world: ToolWorld;
  before(async () => {
    world = await toolWorld();
  });
  after(() => world.remove());

  it('stays under 10 kB, since every request carries it', () => {
    const specs = world.tools.map(({ name, description, input }) => ({
      name,
      description,
      parameters: z.toJSONSchema(input, { io: 'input' }),
    }));
    const size = Buffer.byteLength(JSON.stringify(specs));
    assert.ok(size < 10_000, `${size} bytes`);
  });

  it('refuses parameters that a tool does not have', () => {
    for (const tool of world.tools) {
      const bound = tool.bind({ nonsense: true });
      assert.ok(!bound.ok && /nonsense/.test(bound.issues), tool.name);
    }
  });
});
