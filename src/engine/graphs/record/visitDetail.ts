import { sameJson } from '../../../base/sameJson';
import type { Graph, GraphNode, JsonValue } from '../graph';
import { lenientText } from '../nodes/fillNode';
import { applyWrites, type GraphState, scopeWith } from '../state/graphState';
import type { EntryOf } from './graphEntry';
import type { GraphRecord } from './graphRecords';
import { graphOf } from './graphRuns';
import { progressOf } from './progress';

/** A change that a node made to the state; `before` is undefined if the key did not exist. */
export interface StateChange {
  readonly key: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
}

/** A visit of a node, with its input and its results. */
export interface VisitDetail {
  /** What it sent to a model, an agent, the user, or the shell; undefined if it sends nothing. */
  readonly prompt: string | undefined;
  readonly output: JsonValue | undefined;
  /** The calls of the agents that worked on it, in the order in which they ended. */
  readonly calls: readonly EntryOf<'called'>[];
  readonly before: GraphState;
  readonly changes: readonly StateChange[];
}

/**
 * Returns what a record contains about a node in a step. Rejects with EngineError `damaged`, and with GraphFailure if the record
 * does not match its graph.
 */
export async function visitDetail(record: GraphRecord, at: { node: string; step: number }): Promise<VisitDetail> {
  const graph = await graphOf(record);
  const { position } = progressOf(graph, record.begun.prompt, record.entries, at.step);
  const before = position.state;
  const node = graph.nodes.get(at.node);
  const done = record.entries.findLast(
    (entry): entry is EntryOf<'node-done'> =>
      entry.type === 'node-done' && entry.node === at.node && entry.step === at.step,
  );
  const after = done ? applyWrites(before, [{ node: at.node, writes: done.writes }], graph) : before;
  const changes = [...after].flatMap(([key, value]): StateChange[] =>
    sameJson(before.get(key), value) ? [] : [{ key, before: before.get(key), after: value }],
  );
  const calls = record.entries.filter(
    (entry): entry is EntryOf<'called'> => entry.type === 'called' && entry.node === at.node && entry.step === at.step,
  );
  return { prompt: node && promptOf(node, before, graph), output: done?.output, calls, before, changes };
}

/** Renders the prompt from the state, which lacks the values that a map passes to its branches. */
function promptOf(node: GraphNode, state: GraphState, graph: Graph): string | undefined {
  const template = templateOf(node);
  return template === undefined ? undefined : lenientText(template, scopeWith(state, {}), graph);
}

function templateOf(node: GraphNode): string | undefined {
  switch (node.type) {
    case 'llm':
    case 'agent':
      return node.prompt;
    case 'input':
    case 'approval':
      return node.question;
    case 'command':
      return node.command;
    case 'rag':
      return node.query;
    case 'script':
    case 'map':
    case 'end':
      return undefined;
  }
}
