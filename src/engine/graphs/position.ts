import { nearest } from '../../base/matching';
import type { Reach } from './edges';
import type { Graph, GraphNode, JsonValue } from './graph';
import { applyWrites, firstState, type GraphState, type Write } from './graphState';

/** The state of a graph run between two steps. */
export interface Position {
  /** 0-based. */
  readonly step: number;
  /** The nodes that run in this step, sorted by id. */
  readonly frontier: readonly string[];
  /** Nodes that wait for branches still running. */
  readonly held: readonly string[];
  readonly state: GraphState;
  /** How often each node has run, including this step. */
  readonly visits: ReadonlyMap<string, number>;
}

/** The result of a node. */
export interface NodeOutcome {
  readonly writes: readonly Write[];
  /** The next nodes; empty for an end. */
  readonly targets: readonly string[];
  /** For an end: the answer of the graph. */
  readonly end?: string;
  /** Its output, for display and for maps that collect it. */
  readonly output?: JsonValue;
}

/** What follows a step. */
export type AfterStep =
  | { readonly kind: 'going'; readonly position: Position }
  | {
      readonly kind: 'ended';
      readonly node: string;
      readonly answer: string;
      readonly state: GraphState;
      /** The nodes that others in this step would have continued with. */
      readonly dropped: readonly string[];
    };

/** Returns the first position. Throws GraphFailure if a node may not run. */
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
 * Applies the results of a step. Throws GraphFailure, and as `applyWrites` does; in that case the step has no effect. `decided`:
 * the nodes that ran next, for a step taken from a record.
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
  for (const { node, outcome } of goingOn) checkTargets(graph, node, outcome);
  // A record only has steps that passed this check.
  if (!decided) for (const { node, outcome } of goingOn) checkJoins(graph, reach, position, { node, outcome });
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

/** Only scripts, and graphs that are not validated, can name a node that does not exist. */
function checkTargets({ nodes }: Graph, node: string, { targets }: NodeOutcome): void {
  const unknown = targets.find((id) => !nodes.has(id));
  if (unknown === undefined) return;
  const meant = nearest(unknown, nodes.keys());
  const way = nodes.get(node)?.type === 'script' ? 'the “_next” that its script prints' : 'where it leads';
  const remedy = meant === undefined ? `Correct ${way}.` : `Did you mean “${meant}”?`;
  throw new GraphFailure(`There is no node “${unknown}” to continue with. ${remedy}`, node);
}

/** Rejects a route that a script does not declare, if it comes to a join that has run without waiting for it. */
function checkJoins(
  { nodes }: Graph,
  reach: Reach,
  { visits }: Position,
  { node, outcome }: { node: string; outcome: NodeOutcome },
): void {
  // Other nodes only take the ways in the file, and what can be reached from a node takes long to find in a large graph.
  if (nodes.get(node)?.type !== 'script') return;
  const ran = [...visits.keys()].filter((id) => nodes.get(id)?.joinsAll === true);
  if (ran.length === 0) return;
  const expected = reach.possible(node);
  // A join that leads to the node itself ran before it, not beside it.
  const missed = ran.filter((id) => !expected.has(id) && !reach.possible(id).has(node));
  for (const to of outcome.targets.filter((id) => !expected.has(id))) {
    const join = missed.find((id) => id === to || reach.possible(to).has(id));
    if (join === undefined) continue;
    const what = `It continues with “${to}”, which its script does not declare, so “${join}” has run without waiting for it.`;
    throw new GraphFailure(`${what} Add “${to}” to the script in a comment: _next: ${to}.`, node);
  }
}

type Released = Pick<Position, 'frontier' | 'held'>;

/** Returns the nodes that run now, and those that wait because another active node may still reach them. */
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
    // If the nodes only wait for each other: first those that no declared path reaches, otherwise all of them.
    asDecided(
      active,
      free((id) => reach.declared(id)),
    ) ?? { frontier: [...active].sort(), held: [] }
  );
}

/** Returns undefined if none of the nodes may run. */
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
    if (!node) throw new GraphFailure(`There is no node “${id}” to continue with.`);
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

/** Why a graph run cannot continue; the message is a sentence for people. */
export class GraphFailure extends Error {
  constructor(
    message: string,
    /** The node in which it occurred. */
    readonly node?: string,
    options?: ErrorOptions,
  ) {
    super(node === undefined ? message : `The node “${node}” failed: ${message}`, options);
    this.name = 'GraphFailure';
  }
}
