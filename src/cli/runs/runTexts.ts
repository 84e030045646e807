import { safeText } from '../../base/shown/safeText';
import { clipEnd } from '../../base/truncate';
import type { ComparedNode, KnownRun, NodeView, RunView } from '../../engine';

/** Returns one line per run, in tab-separated columns for scripts. */
export function listText(runs: readonly KnownRun[]): string {
  return table(
    runs.map(({ view, isHeld }) => [
      view.id,
      stateText(view, isHeld),
      new Date(view.beganAt).toISOString(),
      view.agent,
      costText(view),
      clipEnd(view.prompt, 80),
    ]),
  );
}

/** Shows a run node by node. */
export function runText({ view, isHeld, sessionId }: KnownRun): string {
  const head = [
    [`Run`, view.id],
    ['Agent', view.agent],
    ['State', stateText(view, isHeld)],
    ['Began', new Date(view.beganAt).toISOString()],
    ['Session', sessionId],
    ['Cost', costText(view)],
    ...(view.from ? [['From', `step ${view.from.step} of ${view.from.id}`]] : []),
    ['Prompt', clipEnd(view.prompt, 500)],
  ];
  const nodes = view.nodes.map((node) => [
    String(node.step),
    node.node,
    nodeState(node),
    timeText(node.durationMs),
    node.askedMs > 0 ? `asked ${timeText(node.askedMs)}` : '-',
    costText(node),
    node.message ?? (node.targets.length > 0 ? `→ ${node.targets.join(', ')}` : ''),
  ]);
  const end = view.answer ?? view.message;
  return `${table(head)}\n${table(nodes)}${end === undefined ? '' : `\n${safeText(end)}\n`}`;
}

/** Shows two runs node by node; `=` marks nodes that did the same in both. */
export function comparisonText(one: RunView, other: RunView, rows: readonly ComparedNode[]): string {
  const cell = (node: NodeView | undefined) =>
    node === undefined ? 'did not run' : `${nodeState(node)}, ${timeText(node.durationMs)}, ${costText(node)}`;
  const lines = rows.map((row) => [row.differs ? '≠' : '=', row.node, cell(row.one), cell(row.other)]);
  const changed = rows.flatMap((row) => (row.differs && row.one && row.other ? writesText(row.one, row.other) : []));
  const details = changed.length === 0 ? '' : `\n${table(changed)}`;
  return `${table([['', 'node', one.id, other.id], ...lines])}${details}`;
}

/** Lists the keys to which two nodes wrote different values. */
function writesText(one: NodeView, other: NodeView): string[][] {
  const valueOf = ({ writes }: NodeView, key: string) => {
    const write = writes.findLast((candidate) => candidate.key === key);
    return write === undefined ? '(nothing)' : clipEnd(JSON.stringify(write.value), 200);
  };
  const keys = [...new Set([...one.writes, ...other.writes].map(({ key }) => key))];
  return keys.map((key) => [one.node, key, valueOf(one, key), valueOf(other, key)]).filter(([, , a, b]) => a !== b);
}

function stateText({ state }: RunView, isHeld: boolean): string {
  if (state !== 'open') return state;
  return isHeld ? 'at work' : 'cut off';
}

function nodeState({ state, tries, items, branches }: NodeView): string {
  const ofItems = branches.length > 0 ? branches.map(branchText) : items > 0 ? [`${items} items`] : [];
  const more = [...(tries > 1 ? [`try ${tries}`] : []), ...ofItems];
  const words = state === 'around' ? 'failed, fallback taken' : state;
  return `${words}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

/** Describes the state of a map node's items in a node that runs for each of them. */
function branchText({
  node,
  done,
  around,
  failed,
  stopped,
  begun,
  left,
  retried,
}: NodeView['branches'][number]): string {
  const counts = { done, 'by fallback': around, failed, stopped, begun, 'not begun': left, retried };
  return `${node}: ${Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(' ')}`;
}

function timeText(ms: number | null): string {
  if (ms === null) return '-';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function costText({ tokens, costUsd }: { tokens: number; costUsd: number }): string {
  return `${tokens} tokens, $${costUsd.toFixed(4)}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const shown = (cell: string) => safeText(cell).replace(/\s+/g, ' ');
  return rows.map((row) => `${row.map(shown).join('\t')}\n`).join('');
}
