import type { AgentEvent } from '../engine';
import type { GraphEntry, GraphNodeRow, TurnEntry } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Told = Extract<DistributiveOmit<AgentEvent, 'seq' | 'sessionId' | 'agentPath' | 'runId'>, { graphId: string }>;

/** The chat entries of a graph agent: one card, with a row for each execution of a node. */
export class GraphEntries {
  private card: { id: string; startedAt: number } | undefined;
  private readonly rows = new Map<string, GraphNodeRow>();

  constructor(private readonly nextId: () => string) {}

  project(event: Told): HostEvent[] {
    switch (event.type) {
      case 'graph-started':
        return [{ type: 'entry-added', entry: this.begun(event) }];
      case 'node-started':
        return this.changed({ ...emptyRow(event.node, event.step), startedAt: event.time });
      case 'node-progress': {
        const { node, done, items } = event;
        const row = [...this.rows.values()].findLast((one) => one.node === node);
        return row ? this.changed({ ...row, items: { done, of: items } }) : [];
      }
      case 'node-finished': {
        const { node, step, durationMs, targets, tokens, costUsd, failure, childSessionId = null } = event;
        const row = this.rows.get(keyOf(node, step)) ?? {
          ...emptyRow(node, step),
          startedAt: event.time - durationMs,
        };
        const went = targets.length > 0 ? `→ ${targets.join(', ')}` : '';
        const note = failure === undefined ? went : `${failure} ${went}`.trimEnd();
        const status = failure === undefined ? 'done' : 'failed';
        return this.changed({ ...row, status, durationMs, tokens, costUsd, note, sessionId: childSessionId });
      }
    }
  }

  /** Ends the card together with the run; nodes still running end with it. */
  ended(outcome: TurnEntry['outcome'], time: number): HostEvent[] {
    const { card } = this;
    if (!card) return [];
    this.card = undefined;
    this.rows.clear();
    const changes = { status: outcome, durationMs: Math.max(0, time - card.startedAt) };
    return [{ type: 'graph-changed', entryId: card.id, changes }];
  }

  private begun({ name, graphId, time: startedAt }: Extract<Told, { type: 'graph-started' }>): GraphEntry {
    const id = this.nextId();
    this.card = { id, startedAt };
    this.rows.clear();
    return { kind: 'graph', id, graphId, name, status: 'running', startedAt, durationMs: null, nodes: [] };
  }

  private changed(row: GraphNodeRow): HostEvent[] {
    this.rows.set(keyOf(row.node, row.step), row);
    return this.card ? [{ type: 'graph-node-changed', entryId: this.card.id, row }] : [];
  }
}

function keyOf(node: string, step: number): string {
  return `${step} ${node}`;
}

function emptyRow(node: string, step: number): GraphNodeRow {
  return {
    node,
    step,
    status: 'running',
    startedAt: 0,
    durationMs: null,
    tokens: 0,
    costUsd: 0,
    items: null,
    note: '',
    sessionId: null,
  };
}
