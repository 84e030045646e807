import assert from 'node:assert/strict';
import { yamlReady } from '../../../src/engine/content/yamlSource';
import { readGraph } from '../../../src/engine/graphs/format/readGraph';
import type { GraphFinding } from '../../../src/engine/graphs/validation/graphCheck';
import type { GraphWorld, SeenScript } from '../../../src/engine/graphs/validation/graphWorld';
import { validateGraph } from '../../../src/engine/graphs/validation/validateGraph';

/** Returns what validation finds in a file, without the problems that reading it reports. */
export async function findingsIn(text: string, world: GraphWorld = {}): Promise<GraphFinding[]> {
  await yamlReady(text);
  return validateGraph(readGraph(text, '/agents/one/graph.yaml'), world);
}

/** Returns each finding as `line:column severity message`. */
export async function foundIn(text: string, world: GraphWorld = {}): Promise<string[]> {
  const found = await findingsIn(text, world);
  return found.map(({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`);
}

/** Builds a graph whose nodes begin on line 5; it starts at the node `a` by default. */
export function graphWith(nodes: string, { version = '1.0', start = 'a', more = '' } = {}): string {
  return `name: one\nversion: "${version}"\nstart: ${start}\nnodes:\n${nodes.replace(/^/gm, '  ')}\n${more}`;
}

/** Returns the scripts of a graph from their contents by path. */
export function scriptsOf(texts: Readonly<Record<string, string>>): Pick<GraphWorld, 'scripts'> {
  const seen = Object.entries(texts).map(([path, text]): [string, SeenScript] => [path, { kind: 'text', text }]);
  return { scripts: new Map(seen) };
}

/** A graph and its expected findings. */
export interface Case {
  nodes: string;
  graph?: Parameters<typeof graphWith>[1];
  world?: GraphWorld;
  /** `line:column severity message`; the nodes begin on line 5. */
  finds: string[];
}

/** Defines a test for each case. */
export function tell(cases: Readonly<Record<string, Case>>): void {
  for (const [title, { nodes, graph, world, finds }] of Object.entries(cases)) {
    it(title, async () => {
      assert.deepEqual(await foundIn(graphWith(nodes, graph), world), finds);
    });
  }
}
