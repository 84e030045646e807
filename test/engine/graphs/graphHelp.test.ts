import assert from 'node:assert/strict';
import type { Engine, WritingHelp } from '../../../src/engine';
import { GRAPH_TEXTS } from '../../../src/engine/authoring/graphs/graphHelp';
import { graphSymbols, nodeIdProblem } from '../../../src/engine/authoring/graphs/graphSymbols';
import { schemaKeys } from '../../../src/engine/content/checkContent';
import { graphFieldsSchema, nodeSchemas } from '../../../src/engine/graphs/format/graphFields';
import { withWorld } from '../../support/engineWorld';

const FILE = '.cairn/agents/flow/graph.yaml';
const TEXT = `name: flow
version: "1.0"
initial_state: { topic: t }
start: plan
nodes:
  plan:
    type: llm
    description: Plans
    ne
    state_updates:
      goal: "{{output}}"
      how: x
    output_schema:
      properties:
        steps: { type: array }
  "each": { type: map, over: "{{steps}}", as: item, branch: work, collect_into: all, next: done }
  work: { type: script, script: a.sh }
  done:
    type: end
`;

async function names(of: Promise<readonly { name: string }[]>): Promise<string[]> {
  return (await of).map(({ name }) => name);
}

function withHelp(text: string, check: (help: WritingHelp, engine: Engine) => Promise<void>): Promise<void> {
  const files = {
    [FILE]: 'name: flow\n',
    '.cairn/agents/flow/a.sh': '',
    '.cairn/agents/flow/lib/b.py': '',
    '.cairn/agents/flow/tools.sh': '',
    '.cairn/agents/flow/notes.md': '',
    '.cairn/agents/helper.md': '---\ndescription: Helps\n---\nHelp.',
    '.mcp.json': '{"mcpServers":{"web":{"command":"x"}}}',
    'claude.json': '{"mcpServers":{"notes":{"command":"x"}}}',
  };
  const home = { folder: '' };
  const programFiles = () => Promise.resolve([{ path: `${home.folder}/claude.json` }]);
  return withWorld({ files, agents: { programFiles } }, async ({ engine, folder }) => {
    home.folder = folder;
    const place = engine.content.placeOf(`${folder}/${FILE}`);
    assert.ok(place);
    await check(await engine.content.help(place, text), engine);
  });
}

describe('The authoring help for graphs', () => {
  it('offers keys for the graph and for each node type, even while the YAML is invalid', () =>
    withHelp(TEXT, async (help) => {
      assert.ok((await names(help.keys([]))).includes('initial_state'));
      assert.deepEqual(await names(help.keys(['nodes'])), []);
      const llm = await names(help.keys(['nodes', 'plan']));
      assert.deepEqual(llm.slice(0, 4), ['type', 'prompt', 'instructions', 'tools']);
      assert.ok(llm.includes('prompt') && !llm.includes('over'));
      assert.ok(!(await names(help.keys(['nodes', 'done']))).includes('next'));
      // Only version 1.1 supports it.
      assert.ok(!llm.includes('retry'));
      const map = await names(help.keys(['nodes', 'each']));
      assert.ok(map.includes('collect_into') && !map.includes('timeout') && !map.includes('state_updates'));
      assert.deepEqual(await names(help.keys(['nodes', 'fresh'])), ['type']);
      const settings = await names(help.keys(['settings']));
      assert.ok(settings.includes('timeout') && !settings.includes('budget'));
    }));

  it('offers Cairn extensions in version 1.1 files', () =>
    withHelp(TEXT.replace('"1.0"', '"1.1"'), async (help) => {
      assert.ok((await names(help.keys(['nodes', 'plan']))).includes('retry'));
      assert.ok((await names(help.keys(['nodes', 'each']))).includes('timeout'));
      assert.ok((await names(help.keys(['settings']))).includes('budget'));
      assert.deepEqual(await names(help.keys(['nodes', 'plan', 'retry'])), ['attempts', 'delay', 'factor']);
      assert.deepEqual(await names(help.values(['nodes', 'plan', 'join'])), ['all', 'each']);
    }));

  it('offers nodes, agents, scripts, tools and servers, including those of other programs', () =>
    withHelp(TEXT, async (help) => {
      assert.deepEqual(await names(help.values(['start'])), ['plan', 'each', 'work', 'done']);
      const [plan] = await help.values(['start']);
      assert.equal(plan?.description, 'llm: Plans');
      assert.deepEqual(await names(help.values(['nodes', 'plan', 'next', 0])), ['each', 'work', 'done']);
      assert.deepEqual(await names(help.values(['nodes', 'plan', 'routes', 'yes'])), ['each', 'work', 'done']);
      assert.ok((await names(help.values(['nodes', 'x', 'agent']))).includes('helper'));
      assert.deepEqual(await names(help.values(['nodes', 'work', 'script'])), ['a.sh', 'lib/b.py']);
      const tools = await names(help.values(['nodes', 'plan', 'tools', 0]));
      assert.ok(tools.includes('fs_read') && tools.includes('mcp:web'));
      assert.deepEqual(await names(help.values(['mcp_servers', 0])), ['notes', 'web']);
      assert.ok((await names(help.values(['nodes', 'plan', 'type']))).includes('approval'));
      assert.deepEqual(await names(help.values(['version'])), ['"1.0"', '"1.1"']);
      assert.ok((await names(help.values(['reducers', 'all']))).includes('append'));
    }));

  it('offers state keys for templates, with their writers', () =>
    withHelp(TEXT, (help) => {
      const said = (help.references?.() ?? []).map(({ name, description }) => `${name}: ${description}`);
      assert.deepEqual(said, [
        'initial_prompt: Written by the user',
        'topic: Written by initial_state',
        'goal: Written by plan',
        'how: Written by plan',
        'steps: Written by plan',
        'all: Written by each',
      ]);
      return Promise.resolve();
    }));

  it('describes every key', () => {
    const ofGraph = (where: string[]) => schemaKeys(graphFieldsSchema, where).map((key) => [...where, key].join('.'));
    assert.deepEqual(
      Object.keys(GRAPH_TEXTS.graph).sort(),
      [...ofGraph([]), ...ofGraph(['settings']), ...ofGraph(['settings', 'budget'])].sort(),
    );
    const keys = Object.values(nodeSchemas).flatMap((schema) =>
      [[], ['retry'], ['budget']].flatMap((where) => schemaKeys(schema, where).map((key) => [...where, key].join('.'))),
    );
    assert.deepEqual(Object.keys(GRAPH_TEXTS.node).sort(), [...new Set(keys)].sort());
  });
});

describe('The names in a graph file', () => {
  const text = `name: one
start: a
enabled_skills: [git]
nodes:
  a:
    id: a
    type: approval
    question: a or b?
    options: [yes please]
    routes:
      yes please: "b"
    on_other: 'a'
  "b":
    type: script
    script: run.sh
    next: [a, c] # a
    fallback: c
  c: { type: agent, agent: helper, prompt: p, next: a }
`;
  const shown = ({ start, end, kind, name, isDefinition }: Awaited<ReturnType<typeof graphSymbols>>[number]) =>
    `${start.line}:${start.column}-${end.column} ${isDefinition ? 'is ' : ''}${kind} ${name}`;

  it('are found with their locations, without quotes', async () => {
    assert.deepEqual((await graphSymbols(text, '/one/graph.yaml')).map(shown), [
      '2:8-9 node a',
      '3:18-21 skill git',
      '5:3-4 is node a',
      '6:9-10 node a',
      '11:20-21 node b',
      '12:16-17 node a',
      '13:4-5 is node b',
      '15:13-19 script run.sh',
      '16:12-13 node a',
      '16:15-16 node c',
      '17:15-16 node c',
      '18:3-4 is node c',
      '18:28-34 agent helper',
      '18:53-54 node a',
    ]);
  });

  it('are found next to invalid nodes, but not in invalid YAML', async () => {
    assert.equal((await graphSymbols(text.replace('type: approval', 'type: aproval'), '/one/graph.yaml')).length, 14);
    assert.deepEqual(await graphSymbols('nodes: [', '/one/graph.yaml'), []);
  });

  it('are found once where merge keys add them to several nodes', async () => {
    const merged = `name: one
start: a
x-ask: &ask { type: llm, prompt: p, next: c }
nodes:
  a: { <<: *ask, next: b }
  b: { <<: *ask }
  d: { <<: *ask }
  c: { type: end }
`;
    assert.deepEqual((await graphSymbols(merged, '/one/graph.yaml')).map(shown), [
      '2:8-9 node a',
      '3:43-44 node c',
      '5:3-4 is node a',
      '5:24-25 node b',
      '6:3-4 is node b',
      '7:3-4 is node d',
      '8:3-4 is node c',
    ]);
  });

  it('cannot be changed to one that is taken or invalid', async () => {
    const all = await graphSymbols(text, '/one/graph.yaml');
    assert.equal(nodeIdProblem('d', all), undefined);
    assert.equal(nodeIdProblem('b', all), 'There is a node “b” already.');
    assert.match(nodeIdProblem('no', all) ?? '', /YAML reads “no” as something other than text/);
    for (const wrong of ['', 'a b', 'a: b', '1', '- a', 'a\nb']) {
      assert.match(nodeIdProblem(wrong, all) ?? '', /starts with a letter/, wrong);
    }
  });
});
