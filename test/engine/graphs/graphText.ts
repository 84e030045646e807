import assert from 'node:assert/strict';
import { readGraph } from '../../../src/engine/graphs/format/readGraph';
import type { Graph } from '../../../src/engine/graphs/graph';
import { yamlReady } from '../../../src/engine/content/yamlSource';

/** Returns the graph in a file's text, which must not have errors. */
export async function graphOf(text: string): Promise<Graph> {
  await yamlReady(text);
  const { graph, problems } = readGraph(text, '/agents/one/graph.yaml');
  assert.ok(graph, problems.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return graph;
}
