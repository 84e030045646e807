import type { Reach } from '../edges';
import type { Graph, GraphNode, JsonValue } from '../graph';
import { applyWrites, firstState, type GraphState, type Write } from '../state/graphState';
import { GraphFailure } from './graphFailure';

/** Where a run of a graph stands between two steps. */
export interface Position {
  /** From 0. */
  readonly step: number;
  /** The nodes that run in this step, in the order of their ids. */
  readonly frontier: readonly string[];
  /** Those that wait for branches that are still under way. */
  readonly held: readonly string[];
  readonly state: GraphState;
  /** So often each has run, with this step. */
  readonly visits: ReadonlyMap<string, number>;
}

/** What a node came to. */
export interface NodeOutcome {
  readonly writes: readonly Write[];
  /** Where it goes on; none of an end. */
  readonly targets: readonly string[];
  /** Of an end: what the graph answers. */
  readonly end?: string;
  /** What it said, for whoever looks at the run and for maps that collect it. */
  readonly output?: JsonValue;
}

/** What comes after a step. */
export type AfterStep =
  | { readonly kind: 'going'; readonly position: Position }
  | {
      readonly kind: 'ended';
      readonly node: string;
      readonly answer: string;
      readonly state: GraphState;
      /** Where others of that step would have gone on. */
      readonly dropped: readonly string[];
    };

/** Throws GraphFailure when a node may not run. */
export function firstPosition(graph: Graph, prompt: string): Position {
  return entered(graph, {
    step: 0,
    frontier: [graph.start],
    held: [],
    state: firstState(graph, prompt),
    visits: new Map(),
  });
}

/**
 * Throws GraphFailure, and what `applyWrites` does; then nothing of the step counts. `decided`: the nodes that ran next, where
 * the step is one that a record tells of.
 */
export function afterStep(
  graph: Graph,
  reach: Reach,
  position: Position,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  decided?: readonly string[],
): AfterStep {
  const done = position.frontier.flatMap((node) => {
    const outcome = outcomes.get(node);
    return outcome ? [{ node, outcome }] : [];
  });
  const ends = done.filter(({ outcome }) => outcome.end !== undefined);
  if (ends.length > 1) {
    const names = ends.map(({ node }) => node).join(' and ');
    throw new GraphFailure(`The ends ${names} were reached at the same time. Join the branches before they end.`);
  }
  const writesOf = (of: typeof done) => of.map(({ node, outcome }) => ({ node, writes: outcome.writes }));
  const goingOn = done.filter(({ outcome }) => outcome.end === undefined);
  const state = applyWrites(position.state, writesOf(goingOn), graph);
  const targets = [...new Set(goingOn.flatMap(({ outcome }) => outcome.targets))];
  const [end] = ends;
  if (end) {
    const dropped = [...new Set([...targets, ...position.held])];
    return {
      kind: 'ended',
      node: end.node,
      answer: end.outcome.end ?? '',
      dropped,
      state: applyWrites(state, writesOf([end]), graph),
    };
  }
  const active = [...new Set([...targets, ...position.held])];
  const { frontier, held } = (decided && asDecided(active, new Set(decided))) ?? released(graph, reach, active);
  const step = position.step + 1;
  return { kind: 'going', position: entered(graph, { step, frontier, held, state, visits: position.visits }) };
}

type Released = Pick<Position, 'frontier' | 'held'>;

/** The nodes that run now, and those that wait because another one may still come to them. */
function released(graph: Graph, reach: Reach, active: readonly string[]): Released {
  const joins = new Set(active.filter((id) => graph.nodes.get(id)?.joinsAll));
  const free = (reachedFrom: (id: string) => ReadonlySet<string>) =>
    new Set(
      active.filter((id) => !joins.has(id) || active.every((other) => other === id || !reachedFrom(other).has(id))),
    );
  return (
    asDecided(
      active,
      free((id) => reach.possible(id)),
    ) ??
    // Those that only wait for each other: first the ones to which no declared way leads, or else all of them.
    asDecided(
      active,
      free((id) => reach.declared(id)),
    ) ?? { frontier: [...active].sort(), held: [] }
  );
}

/** Undefined when none of them runs. */
function asDecided(active: readonly string[], run: ReadonlySet<string>): Released | undefined {
  const frontier = active.filter((id) => run.has(id)).sort();
  return frontier.length > 0 ? { frontier, held: active.filter((id) => !run.has(id)).sort() } : undefined;
}

function entered(graph: Graph, position: Position): Position {
  const { frontier } = position;
  if (frontier.length === 0) {
    throw new GraphFailure('No node is left to run, but no end was reached. Give each node a “next”, or add an end.');
  }
  const visits = new Map(position.visits);
  for (const id of frontier) {
    const node = graph.nodes.get(id);
    if (!node) throw new GraphFailure(`There is no node “${id}” to continue with. Correct the “_next” that names it.`);
    const visit = (visits.get(id) ?? 0) + 1;
    const most = node.maxVisits ?? graph.settings.maxVisits;
    if (visit > most) throw tooOften(node, visit, most);
    visits.set(id, visit);
  }
  return { ...position, visits };
}

function tooOften({ id, maxVisits }: GraphNode, visit: number, most: number): GraphFailure {
  const limit = maxVisits === undefined ? '“settings.max_loop_iterations”' : 'its “max_visits”';
  const remedy = `Raise ${limit}, or fix the loop.`;
  return new GraphFailure(`It was reached ${times(visit)} but may run only ${times(most)}. ${remedy}`, id);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
