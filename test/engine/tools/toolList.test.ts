import assert from 'node:assert/strict';
import { ToolRegistry } from '../../../src/engine/tools/toolRegistry';
import { toolSpecs } from '../../../src/engine/tools/toolSpecs';
import { type ToolWorld, toolWorld } from './toolWorld';

describe('The tool list', () => {
  let world: ToolWorld;
  before(async () => {
    world = await toolWorld();
  });
  after(() => world.remove());

  it('describes every parameter to models, without constraints that a failed call explains', () => {
    const specs = JSON.stringify(toolSpecs(new ToolRegistry(world.tools)));
    assert.doesNotMatch(specs, /"additionalProperties":false|"minimum":1[,}]|"minItems":1[,}]/);
    assert.match(specs, /"maximum":60/);
  });

  it('stays under 8 kB for a solo agent and under 13 kB for others, since every request carries it', () => {
    const alone = world.tools.filter(({ name }) => name !== 'task' && !name.startsWith('agent__'));
    assert.ok(sizeOf(alone) < 8_000, `${sizeOf(alone)} bytes`);
    assert.ok(sizeOf(world.tools) < 13_000, `${sizeOf(world.tools)} bytes`);
  });

  it('rejects parameters that a tool does not have', () => {
    for (const tool of world.tools) {
      const bound = tool.bind({ nonsense: true });
      assert.ok(!bound.ok && /nonsense/.test(bound.issues), tool.name);
    }
  });
});

function sizeOf(tools: ToolWorld['tools']): number {
  return Buffer.byteLength(JSON.stringify(toolSpecs(new ToolRegistry(tools))));
}
