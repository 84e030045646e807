import type { ChatState, GraphEntry, GraphNodeRow } from '../../../src/protocol/chatState';
import { chat, run, user } from '../support/chats';

/** The row of a finished node. */
function row(node: string, step: number, parts: Partial<GraphNodeRow> = {}): GraphNodeRow {
  return {
    ...{ node, step, status: 'done', startedAt: Date.now() - 8_000, durationMs: 2_000, tokens: 0, costUsd: 0 },
    ...{ items: null, note: '', sessionId: null },
    ...parts,
  };
}

function graph(nodes: readonly GraphNodeRow[], parts: Partial<GraphEntry> = {}): GraphEntry {
  return {
    ...{
      kind: 'graph',
      id: 'g1',
      graphId: 'graph-1',
      name: 'careful-coder',
      status: 'running',
      startedAt: Date.now() - 12_000,
    },
    ...{ durationMs: null, nodes },
    ...parts,
  };
}

/** Running graphs, and a failed one. */
export function graphScenes(): Record<string, ChatState> {
  const asked = user('u1', 'Make the parser strict.');
  const nodes = [
    row('look', 0, { durationMs: 120, note: '→ analyze' }),
    row('analyze', 1, { tokens: 8_200, costUsd: 0.02, note: '→ route_plan', sessionId: 'session-analyze' }),
    row('each_file', 2, { status: 'running', durationMs: null, items: { done: 3, of: 20 } }),
    row('check_a_node_with_a_long_name_that_does_not_fit', 2, { status: 'running', durationMs: null }),
  ];
  return {
    graph: chat({ entries: [asked, graph(nodes)], run: run('running-tool', 'each_file') }),
    graphFailed: chat({
      entries: [
        asked,
        graph(
          [...nodes.slice(0, 2), row('verify', 2, { status: 'failed', note: 'verify.sh ended with exit code 1.' })],
          {
            status: 'failed',
            durationMs: 14_000,
          },
        ),
      ],
    }),
  };
}
