import assert from 'node:assert/strict';
import { AgentLoader } from '../../src/engine/agents/agentLoader';
import type { PluginTool } from '../../src/engine/tools/plugin/pluginTool';
import { nodePorts } from '../../src/node/nodePorts';
import { withWorld } from '../support/engineWorld';
import { call, resultsIn } from './agents/team/teamStory';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loader = new AgentLoader(nodePorts({ env: process.env, ripgrepCandidates: [], log }));

/** A tool of an extension that reports what it deleted. */
function deletes(permission?: PluginTool['permission']): PluginTool {
  return {
    name: 'acme_delete',
    description: 'Deletes what is named.',
    category: 'execute',
    inputSchema: { type: 'object' },
    ...(permission && { permission }),
    run: () => Promise.resolve('Deleted.'),
  };
}

/** Makes a call as an agent with these lines in `permission`; returns the outcome. */
async function called(lines: readonly string[], input: object, permission?: PluginTool['permission']): Promise<string> {
  const head = ['---', 'permission:', ...lines.map((line) => `  ${line}`), '---', 'You.'];
  const { agent, problems } = await loader.readText(head.join('\n'), 'cleaner');
  assert.deepEqual([agent?.name, problems.filter(({ message }) => /has no effect/.test(message))], ['cleaner', []]);
  const asked: string[] = [];
  let told = '';
  await withWorld(
    {
      approvalMode: 'everything',
      approve: ({ tool }) => {
        asked.push(tool);
        return { kind: 'once' };
      },
      story: [call('acme_delete', input), (request) => ({ say: resultsIn(request).join() })],
    },
    async (world) => {
      world.engine.registerTool(deletes(permission));
      world.engine.registerAgent({ name: 'cleaner', description: 'x', rules: agent?.rules ?? [] });
      await world.play('clean', { agent: 'cleaner' });
      told = resultsIn(world.server.requests.at(-1) ?? assert.fail()).join();
    },
  );
  if (asked.length > 0) return 'ask';
  return told === 'Deleted.' ? 'allow' : /Not allowed.*prod/.test(told) ? 'deny' : told;
}

describe('A pattern in an agent’s permissions for an extension tool', () => {
  const MAP = ['acme_delete:', '  "*": ask', '  "test*": allow', '  "prod*": deny'];

  it('is matched against the text arguments: all of them to allow, any to deny', async () => {
    assert.equal(await called(MAP, { name: 'test-1' }), 'allow');
    assert.equal(await called(MAP, { name: 'prod-1' }), 'deny');
    assert.equal(await called(MAP, { names: ['test-1', 'prod-1'], force: true }), 'deny', 'also deep down');
    assert.equal(await called(MAP, { name: 'test-1', into: 'archive' }), 'ask', 'one of two texts is not allowed');
    assert.equal(await called(MAP, {}), 'ask');
  });

  it('is matched only against the subjects the tool reports, if it does', async () => {
    const named: PluginTool['permission'] = ({ name }) => ({ subjects: [String(name)] });
    assert.equal(await called(MAP, { name: 'test-1', because: 'prod is full' }, named), 'allow');
    assert.equal(await called(MAP, { name: 'prod-1', because: 'test' }, named), 'deny');
  });

  it('is matched against its paths, its host and the parts of its command', async () => {
    const paths: PluginTool['permission'] = ({ path }) => ({ paths: [String(path)] });
    assert.equal(await called(MAP, { path: './x/../prod/a.txt' }, paths), 'deny', 'as the path really is');
    assert.equal(await called(MAP, { path: 'test/a.txt', note: 'prod' }, paths), 'allow');
    const host: PluginTool['permission'] = () => ({ host: 'prod.example' });
    assert.equal(await called(MAP, { name: 'test' }, host), 'deny');
    const command: PluginTool['permission'] = () => ({ command: 'cd /tmp && sudo prod-wipe --all' });
    assert.equal(await called(['acme_delete:', '  "*": allow', '  "prod-wipe *": deny'], {}, command), 'deny');
  });

  it('also applies where a wildcard names the tool', async () => {
    assert.equal(await called(['"acme_*":', '  "*": allow', '  "prod*": deny'], { name: 'prod-1' }), 'deny');
    assert.equal(await called(['"acme_*":', '  "*": ask', '  "test*": allow'], { name: 'test-1' }), 'allow');
  });
});
