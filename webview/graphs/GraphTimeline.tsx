import { t } from '../../src/base/l10n';
import type { GraphRunView, VisitView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { durationWords } from '../ui/words';
import { nameOf, SIGNS } from './graphWords';
import { timeParts, timeSums } from './timeParts';
import { RUN_WORDS } from './visitWords';

interface GraphTimelineProps {
  run: GraphRunView;
  now: number;
  act: (action: PageAction) => void;
}

const KINDS = [
  ['waited', () => t('Waited')],
  ['ran', () => t('Ran')],
  ['asked', () => t('Asked')],
] as const;

/** Where the time went: a lane for each node, in the order in which they began. */
export function GraphTimeline({ run, now, act }: GraphTimelineProps) {
  const end = run.endedAt ?? Math.max(now, run.beganAt + 1);
  const lanes = new Map<string, VisitView[]>();
  for (const visit of run.visits) lanes.set(visit.node, [...(lanes.get(visit.node) ?? []), visit]);
  return (
    <div class="graph-timeline" role="group" aria-label={t('Timeline')} tabIndex={0}>
      <p class="graph-legend" aria-hidden="true">
        {KINDS.map(([kind, words]) => (
          <span key={kind}>
            <svg class="graph-key" viewBox="0 0 12 10">
              <rect
                class={`graph-time ${kind}`}
                x="0"
                y={kind === 'waited' ? 4 : 0}
                width="12"
                height={kind === 'waited' ? 2 : 10}
              />
            </svg>
            {words()}
          </span>
        ))}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Node')}</th>
            <th scope="col" class="graph-lane-head">
              {durationWords(end - run.beganAt)}
            </th>
            {KINDS.map(([kind, words]) => (
              <th key={kind} scope="col" class="number">
                {words()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...lanes].map(([node, visits]) => (
            <Lane key={node} node={node} visits={visits} time={{ start: run.beganAt, end }} act={act} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LaneProps {
  node: string;
  visits: readonly VisitView[];
  time: { start: number; end: number };
  act: (action: PageAction) => void;
}

function Lane({ node, visits, time, act }: LaneProps) {
  const sums = timeSums(visits, time.end);
  const last = visits.at(-1);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="graph-row" onClick={() => act({ kind: 'show-node', node })}>
          {last && <span aria-hidden="true">{SIGNS[last.state]}</span>}
          {nameOf(node)}
          <span class="visually-hidden"> {last && RUN_WORDS[last.state]()}</span>
        </button>
      </th>
      <td class="graph-lane">
        <svg aria-hidden="true" width="100%" height="16">
          {visits.flatMap((visit) =>
            timeParts(visit, time).map(({ kind, from, length }) => (
              <rect
                key={`${visit.step} ${visit.beganAt} ${kind} ${from}`}
                class={`graph-time ${kind}${visit.state === 'failed' || visit.state === 'stopped' ? ` ${visit.state}` : ''}`}
                x={`${from * 100}%`}
                width={`${Math.max(0.3, length * 100)}%`}
                y={kind === 'waited' ? 7 : 2}
                height={kind === 'waited' ? 2 : 12}
              />
            )),
          )}
        </svg>
      </td>
      {KINDS.map(([kind]) => (
        <td key={kind} class="number">
          {sums[kind] > 0 ? durationWords(sums[kind]) : ''}
        </td>
      ))}
    </tr>
  );
}
