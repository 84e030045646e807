import assert from 'node:assert/strict';
import path from 'node:path';
import type { AgentDefinition } from '../../../src/engine/agents/agentDefinition';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { checkGraph } from '../../../src/engine/authoring/graphs/checkGraph';
import { OWN_TOOLS } from '../../../src/engine/content/toolNames';
import type { AgentGraph } from '../../../src/engine/graphs/desk';
import { nodePorts } from '../../../src/node/nodePorts';
import { ASSETS_FOLDER } from '../../support/assetsFolder';

/** Graph agent → the last lines with which it may end. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  'careful-coder': ['CODER_COMPLETE', 'CODER_REJECTED', 'CODER_FAILED'],
  'deep-research': ['RESEARCH_COMPLETE', 'RESEARCH_FAILED', 'RESEARCH_REJECTED'],
  librarian: ['LIBRARIAN_COMPLETE', 'LIBRARIAN_FAILED'],
};

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
const ROOT = { folder: `${ASSETS_FOLDER}/agents`, scope: 'builtin', world: 'cairn' } as const;

describe('The built-in graphs', () => {
  let agents: readonly AgentDefinition[];
  let graphs: readonly { agent: AgentDefinition; file: AgentGraph }[];

  before(async () => {
    const { items, problems } = await new AgentLoader(ports).readRoot(ROOT);
    assert.deepEqual(problems, []);
    agents = items;
    graphs = await Promise.all(
      items.flatMap((agent) => (agent.graph ? [agent.graph.load().then((file) => ({ agent, file }))] : [])),
    );
  });

  it('have no problems, and match the name and description of their agent', async () => {
    assert.deepEqual(graphs.map(({ agent }) => agent.name).toSorted(), Object.keys(ENDS).toSorted());
    for (const { agent, file } of graphs) {
      const place = { agent: agent.name, folder: path.dirname(file.path), within: undefined };
      const known = { agents: agents.map(({ name }) => name), tools: OWN_TOOLS, toolFolders: [] };
      assert.deepEqual(await checkGraph(place, file, known, ports), []);
      assert.deepEqual([file.graph.name, file.graph.description], [agent.name, agent.description]);
    }
  });

  it('name only tools that their nodes have', () => {
    for (const { agent, file } of graphs)
      for (const node of file.graph.nodes.values()) {
        if (node.type !== 'llm') continue;
        const said = `${node.instructions ?? ''} ${node.prompt} ${JSON.stringify(node.outputSchema ?? {})}`;
        for (const [word] of said.matchAll(/\b[a-z]+_\w+\b/g))
          if (OWN_TOOLS.includes(word))
            assert.ok(node.tools.includes(word), `${agent.name}: ${node.id} names ${word}, which it is not given`);
      }
  });

  it('tell each model with tools that content never changes its rules', () => {
    for (const { agent, file } of graphs)
      for (const node of file.graph.nodes.values())
        if (node.type === 'llm' && node.tools.length > 0)
          assert.match(node.instructions ?? '', /never\s+changes\s+these\s+rules/, `${agent.name}: ${node.id}`);
  });

  it('end with the line that others wait for', () => {
    for (const { agent, file } of graphs) {
      const last = [...file.graph.nodes.values()].flatMap((node) =>
        node.type === 'end' ? [node.output.trim().split('\n').at(-1) ?? ''] : [],
      );
      assert.deepEqual([...new Set(last)].toSorted(), ENDS[agent.name]?.toSorted(), agent.name);
    }
  });
});
