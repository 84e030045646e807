import { itemNodes } from '../edges';
import type { GraphFile } from '../format/readGraph';
import type { Graph, MapNode } from '../graph';
import { checkBranches } from './checkBranches';
import { checkFanOuts } from './checkFanOuts';
import { checkNames } from './checkNames';
import { checkNodes } from './checkNodes';
import { checkTemplates } from './checkTemplates';
import { checkEnds, checkWays } from './checkWays';
import { Findings, type GraphCheck, type GraphFinding, STEPS_OF_ITEM } from './graphCheck';
import type { GraphWorld } from './graphWorld';
import { Ways } from './ways';

/**
 * Returns the problems of a graph beyond those found while reading it: what would fail, be lost, or never happen in a run, in
 * file order. In a file of version 1.0, whatever the original format accepts is at most a warning. If some nodes cannot be read,
 * problems that may be caused by that are not reported.
 */
export function validateGraph(file: GraphFile, world: GraphWorld): GraphFinding[] {
  const { readable: graph, fields, yaml } = file;
  if (!graph || !fields) return [];
  const found = new Findings(yaml, graph.version);
  const branches = branchesOf(graph, found);
  if (!branches) return found.sorted();
  const ids = file.written.map(([id]) => id);
  const check: GraphCheck = { graph, fields, world, found, ids, branches, ways: new Ways(graph, world) };
  const isWhole = graph.nodes.size === ids.length && graph.nodes.has(graph.start);
  checkNodes(check);
  checkNames(check);
  checkWays(check);
  checkFanOuts(check);
  checkTemplates(check, isWhole);
  if (isWhole) {
    checkEnds(check);
    checkBranches(check);
  }
  return found.sorted();
}

/** Returns undefined if that would take too many steps. */
function branchesOf(graph: Graph, found: Findings): ReadonlyMap<string, readonly MapNode[]> | undefined {
  const branches = new Map<string, MapNode[]>();
  for (const node of graph.nodes.values()) {
    if (node.type !== 'map') continue;
    const nodes = itemNodes(node, graph);
    if (!found.mayTake(nodes.length * STEPS_OF_ITEM)) return undefined;
    for (const { id } of nodes) {
      const maps = branches.get(id);
      if (maps) maps.push(node);
      else branches.set(id, [node]);
    }
  }
  return branches;
}
