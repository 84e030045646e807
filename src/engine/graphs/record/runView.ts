import { sameJson } from '../../../base/sameJson';
import type { Used } from '../desk';
import type { JsonValue } from '../graph';
import type { Write } from '../graphState';
import type { EntryOf, GraphEntry, GraphRecord } from './graphRecords';
import { NOTHING, sum, workKey } from './progress';

/** A visit of a node. Times are milliseconds since the epoch. */
export interface NodeView {
  readonly node: string;
  readonly step: number;
  /** `begun`: not ended yet. `around`: failed, and its fallback took over. `stopped`: cut off. */
  state: 'begun' | 'done' | 'around' | 'failed' | 'stopped';
  readonly beganAt: number;
  durationMs: number | null;
  /** The part of it spent waiting for the user. */
  askedMs: number;
  /** When it asked, and when that was answered; null: not yet. */
  asks: { readonly from: number; to: number | null }[];
  tries: number;
  /** For a map: the number of finished items. */
  items: number;
  /** The number of these that their fallback finished. */
  itemsAround: number;
  /** For a map: the states of all its items in each node that it runs for them. */
  branches: readonly BranchView[];
  tokens: number;
  costUsd: number;
  targets: readonly string[];
  writes: readonly Write[];
  output?: JsonValue;
  /** Why it failed or was stopped. */
  message?: string;
  /** Session of the agent that worked on it. */
  sessionId?: string;
}

/** How a run ended; `open`: not ended, so it is running or was cut off. */
type RunState = 'open' | 'completed' | 'rejected' | 'failed' | 'stopped' | 'paused';

/** A graph run, for display. */
export interface RunView {
  readonly id: string;
  readonly agent: string;
  readonly prompt: string;
  readonly beganAt: number;
  endedAt: number | null;
  state: RunState;
  readonly nodes: NodeView[];
  /** The number of finished steps. */
  steps: number;
  tokens: number;
  costUsd: number;
  answer?: string;
  message?: string;
  /** The run that this one continues from an earlier point, and the step of that point. */
  readonly from?: { readonly id: string; readonly step: number };
}

/** Builds the view of a run from its record. */
export function runViewOf({ begun, entries }: GraphRecord): RunView {
  const { id, agent, prompt, time, from } = begun;
  const view: RunView = {
    id,
    agent,
    prompt,
    beganAt: time,
    endedAt: null,
    state: 'open',
    nodes: [],
    steps: 0,
    tokens: 0,
    costUsd: 0,
    ...(from && { from }),
  };
  const open = new Map<string, OpenNode>();
  const items = new Map<string, ItemStates>();
  const spent: Spent = new Map();
  for (const entry of entries) {
    if ('node' in entry) addToNode(view, open, entry);
    else addEntry(view, open, entry);
    if ('tokens' in entry) addUsed(view, { open, spent }, entry);
    addToItems(items, entry);
  }
  // Item states span all restarts of a step, so they go to its last visit.
  const last = new Map<string, NodeView>(view.nodes.map((node) => [`${node.step} ${node.node}`, node]));
  for (const [key, states] of items) Object.assign(last.get(key) ?? {}, { branches: states.views() });
  return view;
}

function addToItems(items: Map<string, ItemStates>, entry: GraphEntry): void {
  if (entry.type === 'ended' || entry.type === 'resumed') {
    for (const states of items.values()) states.stop();
    return;
  }
  if (!('node' in entry)) return;
  const key = `${entry.step} ${entry.node}`;
  switch (entry.type) {
    case 'node-failed':
      items.get(key)?.stop();
      return;
    case 'item-begun':
      items.set(key, items.get(key) ?? new ItemStates());
      items.get(key)?.take(entry);
      return;
    case 'item-done':
    case 'item-failed':
    case 'retried':
      items.get(key)?.take(entry);
      return;
    default:
  }
}

/** Step and node → the usage of each of its items and of the node itself, over all restarts. */
type Spent = Map<string, Map<string, Used>>;

function addUsed(
  view: RunView,
  { open, spent }: { open: Map<string, OpenNode>; spent: Spent },
  entry: UsedEntry,
): void {
  const key = `${entry.step} ${entry.node}`;
  const parts = spent.get(key) ?? new Map<string, Used>();
  spent.set(key, parts);
  const before = [...parts.values()].reduce(sum, NOTHING);
  const { tokens, costUsd } = entry;
  const part = entry.type === 'node-done' ? '' : workKey(entry.node, entry.index);
  if (entry.type === 'node-done') parts.clear();
  const known = entry.type === 'used' ? (parts.get(part) ?? NOTHING) : NOTHING;
  // In older records, the final entry only contains the usage since the node last started.
  const least = entry.type === 'node-done' ? before : NOTHING;
  parts.set(part, {
    tokens: Math.max(least.tokens, known.tokens + tokens),
    costUsd: Math.max(least.costUsd, known.costUsd + costUsd),
  });
  const all = [...parts.values()].reduce(sum, NOTHING);
  view.tokens += all.tokens - before.tokens;
  view.costUsd += all.costUsd - before.costUsd;
  const at = open.get(key);
  if (at) Object.assign(at.view, all);
}

type UsedEntry = Extract<GraphEntry, { tokens: number }>;

interface OpenNode {
  view: NodeView;
  askedAt: number | undefined;
}

function addEntry(view: RunView, open: Map<string, OpenNode>, entry: Exclude<GraphEntry, NodeEntry>): void {
  switch (entry.type) {
    case 'begun':
    case 'edited':
      return;
    case 'resumed':
      view.state = 'open';
      view.endedAt = null;
      for (const { view: node } of open.values()) if (node.state === 'begun') node.state = 'stopped';
      open.clear();
      return;
    case 'step-done':
      view.steps = Math.max(view.steps, entry.step + 1);
      return;
    case 'ended': {
      const { how, time, answer, message } = entry;
      view.state = how;
      view.endedAt = time;
      if (answer !== undefined) view.answer = answer;
      if (message !== undefined) view.message = message;
      stopAll(open, time);
      return;
    }
  }
}

/** Stops everything that was still running when the run ended. */
function stopAll(open: Map<string, OpenNode>, time: number): void {
  const nodes = [...open.values()].map(({ view }) => view);
  const failed = nodes.findLast(({ state }) => state === 'failed');
  for (const node of nodes) {
    if (node.state !== 'begun') continue;
    const asks = node.asks.map(({ from, to }) => ({ from, to: to ?? time }));
    Object.assign(node, { state: 'stopped', durationMs: time - node.beganAt, asks });
    if (failed?.step === node.step) node.message = `It was stopped because “${failed.node}” failed.`;
  }
}

type NodeEntry = Extract<GraphEntry, { node: string }>;

function addToNode(view: RunView, open: Map<string, OpenNode>, entry: NodeEntry): void {
  const key = `${entry.step} ${entry.node}`;
  if (entry.type === 'node-started') {
    const node = begunNode(entry.node, entry.step, entry.time);
    open.set(key, { view: node, askedAt: undefined });
    view.nodes.push(node);
    return;
  }
  const at = open.get(key);
  if (!at) return;
  switch (entry.type) {
    case 'agent-begun':
      if (entry.index === undefined) at.view.sessionId = entry.sessionId;
      return;
    case 'asked':
      at.askedAt = entry.time;
      at.view.asks.push({ from: entry.time, to: null });
      return;
    case 'answered': {
      at.view.askedMs += entry.time - (at.askedAt ?? entry.time);
      at.askedAt = undefined;
      const open = at.view.asks.find(({ to }) => to === null);
      if (open) open.to = entry.time;
      return;
    }
    case 'retried':
      if (entry.index === undefined) at.view.tries = entry.attempt;
      return;
    case 'item-done':
      at.view.items++;
      if (entry.failure !== undefined) at.view.itemsAround++;
      return;
    case 'node-failed':
      Object.assign(at.view, { state: 'failed', durationMs: entry.durationMs, message: entry.message });
      return;
    case 'node-done': {
      const { durationMs, targets, writes, output, sessionId, failure } = entry;
      Object.assign(at.view, { state: failure === undefined ? 'done' : 'around', durationMs, targets, writes });
      Object.assign(at.view, failure !== undefined && { message: failure });
      Object.assign(at.view, output !== undefined && { output }, sessionId !== undefined && { sessionId });
      return;
    }
    case 'item-begun':
    case 'item-failed':
    case 'used':
    case 'called':
  }
}

function begunNode(node: string, step: number, beganAt: number): NodeView {
  return {
    node,
    step,
    state: 'begun',
    beganAt,
    durationMs: null,
    askedMs: 0,
    asks: [],
    tries: 1,
    items: 0,
    itemsAround: 0,
    branches: [],
    tokens: 0,
    costUsd: 0,
    targets: [],
    writes: [],
  };
}

/** A visit of the same node in two runs, matched by visit number; undefined if a run has no such visit. */
export interface ComparedNode {
  readonly node: string;
  readonly one: NodeView | undefined;
  readonly other: NodeView | undefined;
  /** Whether they ended differently, wrote something else, or continued elsewhere. */
  readonly differs: boolean;
}

/** Compares two runs node by node, in the order of the first, followed by visits that only the other has. */
export function comparedRuns(one: RunView, other: RunView): ComparedNode[] {
  const left = numbered(one);
  const right = numbered(other);
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  return keys.map((key) => {
    const [a, b] = [left.get(key), right.get(key)];
    const node = (a ?? b)?.node ?? key;
    return { node, one: a, other: b, differs: !a || !b || !sameResult(a, b) };
  });
}

/** Returns the visits keyed by node and visit number; if a node failed and ran again in a step, the last one counts. */
function numbered({ nodes }: RunView): Map<string, NodeView> {
  const last = new Map(nodes.map((view) => [`${view.step} ${view.node}`, view] as const));
  const times = new Map<string, number>();
  return new Map(
    [...last.values()].map((view) => {
      const time = (times.get(view.node) ?? 0) + 1;
      times.set(view.node, time);
      return [`${view.node} ${time}`, view] as const;
    }),
  );
}

function sameResult(one: NodeView, other: NodeView): boolean {
  return (
    one.state === other.state &&
    sameJson(one.targets, other.targets) &&
    sameJson(
      one.writes.map(({ key, value }) => [key, value]),
      other.writes.map(({ key, value }) => [key, value]),
    )
  );
}

/** The state of an item in one of the nodes that a map runs for it. `around`: the node failed, and its fallback took over. */
type ItemState = 'begun' | 'done' | 'around' | 'failed' | 'stopped';

/** A node that a map runs for its items, with the number of items in each state. */
interface BranchView extends Readonly<Record<ItemState, number>> {
  readonly node: string;
  /** The number of items that have not started; 0 for fallbacks. */
  readonly left: number;
  /** The number of items that were tried more than once. */
  readonly retried: number;
}

type ItemEntry = EntryOf<'item-begun' | 'item-done' | 'item-failed' | 'retried'>;

/** The states of a map's items in a step, over all restarts. */
class ItemStates {
  private items = 0;
  /** Node → item index → state; nodes in the order in which they first started. */
  private readonly byNode = new Map<string, Map<number, ItemState>>();
  private readonly retried = new Map<string, Set<number>>();
  /** Item index → the node that started last for it. */
  private readonly last = new Map<number, string>();

  take(entry: ItemEntry): void {
    if (entry.type === 'item-begun') return this.begin(entry);
    // The map itself is retried, including everything that was cut off.
    if (entry.index === undefined) return this.stop();
    const { index } = entry;
    const node = this.last.get(index);
    const states = node === undefined ? undefined : this.byNode.get(node);
    if (node === undefined || !states) return;
    if (entry.type === 'retried') this.retried.set(node, (this.retried.get(node) ?? new Set<number>()).add(index));
    else if (entry.type === 'item-failed') states.set(index, 'failed');
    else states.set(index, entry.failure === undefined || entry.by === node ? 'done' : 'around');
  }

  /** Marks everything that is still running as stopped. */
  stop(): void {
    for (const states of this.byNode.values()) {
      for (const [index, state] of states) if (state === 'begun') states.set(index, 'stopped');
    }
  }

  views(): BranchView[] {
    return [...this.byNode].map(([node, states], at) => {
      const counts = { begun: 0, done: 0, around: 0, failed: 0, stopped: 0 };
      for (const state of states.values()) counts[state]++;
      const left = at === 0 ? this.items - states.size : 0;
      return { node, ...counts, left, retried: this.retried.get(node)?.size ?? 0 };
    });
  }

  private begin({ index, of, branch }: EntryOf<'item-begun'>): void {
    this.items = of;
    const before = this.last.get(index);
    const failed = before === undefined || before === branch ? undefined : this.byNode.get(before);
    if (failed?.get(index) === 'begun') failed.set(index, 'around');
    // The item restarts from the branch, so the states of earlier fallbacks no longer count.
    else for (const states of this.byNode.values()) states.delete(index);
    const states = this.byNode.get(branch) ?? new Map<number, ItemState>();
    this.byNode.set(branch, states.set(index, 'begun'));
    this.last.set(index, branch);
  }
}
