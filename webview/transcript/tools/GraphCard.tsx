import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { GraphEntry, GraphNodeRow } from '../../../src/protocol/chatState';
import { costWords } from '../../../src/protocol/costWords';
import { agentStatusWords } from '../entryArticle';
import { durationWords, tokenWords } from '../../ui/words';
import { Fold } from '../../ui/Fold';
import { Icon, IconButton } from '../../ui/Icon';
import { Sentence } from '../../ui/Sentence';
import { useNow, useOpen, usePanel } from '../../ui/panelContext';

/** Only the newest rows are shown; `cairn runs show` prints all. */
const MOST_ROWS = 200;

/** A graph agent: one row per node and step, with its result, duration, cost, and where it continued. */
export function GraphCard({ entry }: { entry: GraphEntry }) {
  const { sessions } = usePanel();
  const isRunning = entry.status === 'running';
  const now = useNow(isRunning);
  const [open, setOpen] = useOpen(entry.id, true);
  const working = entry.nodes.filter(({ status }) => status === 'running').map(({ node }) => node);
  const left = entry.nodes.length - MOST_ROWS;
  return (
    <div class={open ? 'card graph' : 'card graph folded'}>
      <div class="card-head">
        <Fold open={open} onToggle={setOpen} lead={leadOf(entry, open)}>
          <span class="card-title">
            <Sentence words={t('Graph {0}')} parts={[<strong>{safeLine(entry.name, 100)}</strong>]} />
          </span>
          {!open && isRunning && <span class="fold-note">{safeLine(working.join(', '), 200)}</span>}
          {!isRunning && entry.status !== 'completed' && (
            <span class="fold-note">{agentStatusWords(entry.status)}</span>
          )}
        </Fold>
        <IconButton
          icon="type-hierarchy-sub"
          label={t('Show the graph {0}', safeLine(entry.name, 100))}
          title={t('Show graph')}
          onClick={() => sessions.showGraph(entry.graphId)}
        />
        <span class="side-note">{durationWords(entry.durationMs ?? Math.max(0, now - entry.startedAt))}</span>
      </div>
      {open && (
        <ol class="graph-nodes" aria-label={t('Nodes')}>
          {left > 0 && <li class="graph-more">{t('{0} earlier nodes are not shown.', left)}</li>}
          {entry.nodes.slice(-MOST_ROWS).map((row) => (
            <NodeRow key={`${row.step} ${row.node}`} row={row} now={now} isRunning={isRunning} />
          ))}
        </ol>
      )}
    </div>
  );
}

const STATUS = {
  running: { icon: 'loading', words: () => t('running') },
  done: { icon: 'check', words: () => t('done') },
  failed: { icon: 'error', words: () => t('failed') },
  stopped: { icon: 'circle-slash', words: () => t('stopped') },
} as const;

function NodeRow({ row, now, isRunning }: { row: GraphNodeRow; now: number; isRunning: boolean }) {
  const { sessions } = usePanel();
  const status = row.status === 'running' && !isRunning ? 'stopped' : row.status;
  const { icon, words } = STATUS[status];
  const time = row.durationMs ?? (status === 'running' ? Math.max(0, now - row.startedAt) : null);
  const { sessionId } = row;
  const node = safeLine(row.node, 100);
  return (
    <li class={`graph-node ${status}`}>
      <Icon name={icon} class={status === 'running' ? 'spin' : ''} />
      <span class="visually-hidden">{words()}: </span>
      <span class="graph-node-name">{node}</span>
      <span class="graph-node-note" dir="auto">
        {safeLine(row.note, 300)}
      </span>
      <span class="graph-node-facts">{factsOf(row, time).join(' · ')}</span>
      {sessionId !== null && (
        <IconButton
          icon="go-to-file"
          label={t('Open the transcript of {0}', node)}
          title={t('Open transcript')}
          quiet
          onClick={() => sessions.openInEditor(sessionId)}
        />
      )}
    </li>
  );
}

function factsOf({ items, tokens, costUsd }: GraphNodeRow, time: number | null): string[] {
  return [
    ...(items ? [t('{0} of {1}', items.done, items.of)] : []),
    ...(tokens > 0 ? [tokenWords(tokens)] : []),
    ...(costUsd > 0 ? [costWords(costUsd)] : []),
    ...(time === null ? [] : [durationWords(time)]),
  ];
}

function leadOf({ status }: GraphEntry, open: boolean) {
  if (status === 'running') return 'busy' as const;
  if (status === 'completed') return open ? ('arrow' as const) : { icon: 'check' };
  return { icon: status === 'failed' ? 'error' : 'circle-slash' };
}
