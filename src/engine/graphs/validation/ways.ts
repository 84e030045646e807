import { edgesOf, nodesForItemsOnly, waysOut } from '../edges';
import { EngineError } from '../../engineError';
import type { GraphOfAgent } from '../desk';
import type { AgentNode, Graph, GraphNode, ScriptNode } from '../graph';
import {
  type GraphStart,
  type GraphWorld,
  type ScriptTarget,
  type ScriptWays,
  UNREAD,
  waysOfScript,
  wordsIn,
} from './graphWorld';

/** The edges that the file declares, and those that scripts show in their comments and text. */
export class Ways {
  private readonly after = new Map<string, readonly string[]>();
  private readonly afterBranches = new Map<string, readonly string[]>();
  /** Node numbers in file order, for frequent lookups. */
  private readonly numbers = new Map<string, number>();
  private readonly followers: (readonly number[])[] = [];
  private readonly forItemsOnly: ReadonlySet<string> = new Set();
  private readonly scripts = new Map<string, ScriptWays>();
  private readonly words = new Map<string, ReadonlySet<string>>();

  constructor(
    readonly graph: Graph,
    private readonly world: GraphWorld,
  ) {
    this.forItemsOnly = nodesForItemsOnly(graph, (node) => [...waysOut(node), ...this.toldBy(node)]);
    for (const node of graph.nodes.values()) {
      const edges = edgesOf(node);
      const told = this.toldBy(node);
      this.after.set(node.id, this.known([...waysOut(node), ...told]));
      this.afterBranches.set(node.id, this.known([...edges.map(({ to }) => to), ...told]));
      this.numbers.set(node.id, this.numbers.size);
    }
    for (const id of graph.nodes.keys()) this.followers.push(this.withBranch(id).map((to) => this.numberOf(to)));
  }

  numberOf(id: string): number {
    return this.numbers.get(id) ?? -1;
  }

  /** Like `reachedFrom`, but sets a 1 at the number of each node. Extends the marks in `reached` if given. */
  markFrom(ids: Iterable<string>, reached: Uint8Array = new Uint8Array(this.followers.length)): Uint8Array {
    const waiting = [...ids].map((id) => this.numberOf(id));
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const to of this.followers[at] ?? []) {
        if (reached[to] === 1) continue;
        reached[to] = 1;
        waiting.push(to);
      }
    }
    return reached;
  }

  /** Returns the nodes that may follow a node. */
  from(id: string): readonly string[] {
    return this.after.get(id) ?? [];
  }

  /** Like `from`, plus the node that a map runs for each item. */
  withBranch(id: string): readonly string[] {
    return this.afterBranches.get(id) ?? [];
  }

  /** Returns all nodes reachable from the given ones, which are included only if they can be reached again. */
  reachedFrom(ids: Iterable<string>, next = (id: string) => this.withBranch(id)): Set<string> {
    const reached = new Set<string>();
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const to of next(id)) {
        if (reached.has(to)) continue;
        reached.add(to);
        waiting.push(to);
      }
    }
    return reached;
  }

  /** Returns all nodes from which the given ones can be reached, including themselves. */
  leadingTo(ids: Iterable<string>): Set<string> {
    const before = new Map<string, string[]>();
    for (const [from, targets] of this.after) {
      for (const to of targets) {
        const sources = before.get(to);
        if (sources) sources.push(from);
        else before.set(to, [from]);
      }
    }
    const start = [...ids];
    const found = this.reachedFrom(start, (id) => before.get(id) ?? []);
    for (const id of start) found.add(id);
    return found;
  }

  /** Whether no run can end without the node. */
  isOnEveryWay(id: string): boolean {
    if (id === this.graph.start) return true;
    const reached = this.reachedFrom([this.graph.start], (from) => this.from(from).filter((to) => to !== id));
    return [this.graph.start, ...reached].every((one) => {
      const node = this.graph.nodes.get(one);
      return node?.type !== 'end' && !this.mayGoElsewhere(node);
    });
  }

  /** Returns the targets found in a node's script; for a script that was not read, they are unknown. */
  ofScript({ script }: ScriptNode): ScriptWays {
    const known = this.scripts.get(script);
    if (known) return known;
    const seen = this.world.scripts?.get(script);
    const ways = seen?.kind === 'text' ? waysOfScript(seen.text) : UNREAD;
    this.scripts.set(script, ways);
    return ways;
  }

  /** Whether a script mentions a word, and so may print it or continue there. True for a script that was not read. */
  mayName({ script }: ScriptNode, word: string): boolean {
    const seen = this.world.scripts?.get(script);
    if (seen?.kind !== 'text') return true;
    const words = this.words.get(script) ?? wordsIn(seen.text);
    this.words.set(script, words);
    return words.has(word);
  }

  /** Whether a node may continue at nodes that nothing declares. */
  mayGoElsewhere(node: GraphNode | undefined): node is ScriptNode {
    return node?.type === 'script' && !this.forItemsOnly.has(node.id) && this.ofScript(node).mayGoElsewhere;
  }

  /** Returns where the text of a node's script leads, including nodes that do not exist; nowhere for an item of a map. */
  targetsToldBy(node: GraphNode): readonly ScriptTarget[] {
    if (node.type !== 'script' || this.forItemsOnly.has(node.id)) return [];
    const { declared = [], written } = this.ofScript(node);
    return [...declared, ...written];
  }

  private toldBy(node: GraphNode): string[] {
    return this.targetsToldBy(node).map(({ id }) => id);
  }

  private known(ids: readonly string[]): readonly string[] {
    return [...new Set(ids)].filter((id) => this.graph.nodes.has(id));
  }
}

/** Beyond this number of steps no start counts as certain. */
const MOST_STEPS = 100_000;

/** Returns the agents that the nodes of a graph start. Scripts are not read, so they may continue anywhere. */
function startsOf(graph: Graph): GraphStart[] {
  const ways = new Ways(graph, {});
  const nodes = agentNodes(graph);
  const mayTake = nodes.length * graph.nodes.size <= MOST_STEPS;
  return nodes.map(({ id, agent }) => ({ agent, isCertain: mayTake && ways.isOnEveryWay(id) }));
}

function agentNodes({ nodes }: Graph): AgentNode[] {
  return [...nodes.values()].filter((node) => node.type === 'agent');
}

/**
 * Returns what the agents that a graph starts start in turn, by agent. `load`: returns the graph of an agent; undefined if the agent
 * has none that can be read.
 */
export async function startsFrom(
  graph: Graph,
  load: (agent: string) => Promise<Graph | undefined>,
): Promise<ReadonlyMap<string, readonly GraphStart[]>> {
  const starts = new Map<string, readonly GraphStart[]>();
  const waiting = agentNodes(graph).map(({ agent }) => agent);
  for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
    if (starts.has(agent)) continue;
    const other = await load(agent);
    const next = other ? startsOf(other) : [];
    starts.set(agent, next);
    waiting.push(...next.map((one) => one.agent));
  }
  return starts;
}

/** An agent, as far as its graph matters. */
interface NamedGraph {
  readonly name: string;
  readonly graph?: GraphOfAgent | undefined;
}

/**
 * Returns a function that reads the graph of an agent; undefined if it has none that can be read, which the check of that agent
 * reports. Of several agents with one name, the last counts.
 */
export function graphsOf(agents: readonly NamedGraph[]): (agent: string) => Promise<Graph | undefined> {
  const graphs = new Map(agents.map(({ name, graph }) => [name, graph]));
  return async (name) => {
    try {
      return (await graphs.get(name)?.load())?.graph;
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      return undefined;
    }
  };
}
