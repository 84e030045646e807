import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { GraphRunView, VisitView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { durationWords } from '../ui/words';
import { DrawnWhenSeen, inStretches, roomOf, STRETCHES_AT_A_TIME } from './DrawnWhenSeen';
import { grouped, nameOf, SIGNS } from './graphWords';
import { SeenFirst } from './seenFirst';
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

/** Where the time went: a lane for each node, in the order they started. */
export function GraphTimeline({ run, now, act }: GraphTimelineProps) {
  const [seen] = useState(() => new SeenFirst('.graph-timeline', STRETCHES_AT_A_TIME));
  const end = run.endedAt ?? Math.max(now, run.beganAt + 1);
  const stretches = useMemo(() => inStretches([...grouped(run.visits, ({ node }) => node)]), [run, end]);
  useLayoutEffect(() => seen.change(stretches), [seen, stretches]);
  return (
    <div class="graph-timeline" role="group" aria-label={t('Timeline')} tabIndex={0}>
      <Legend />
      <div role="table">
        <div role="row" class="graph-lane-row">
          <span role="columnheader">{t('Node')}</span>
          <span role="columnheader" class="number">
            {durationWords(end - run.beganAt)}
          </span>
          {KINDS.map(([kind, words]) => (
            <span key={kind} role="columnheader" class="number">
              {words()}
            </span>
          ))}
        </div>
        {stretches.map((some, at) => (
          <DrawnWhenSeen
            key={at}
            seen={seen}
            draw={(take) => (
              <div ref={take} role="rowgroup" class="graph-stretch" style={roomOf(some)}>
                {some.map(([node, visits]) => (
                  <Lane key={node} node={node} visits={visits} time={{ start: run.beganAt, end }} act={act} />
                ))}
              </div>
            )}
          />
        ))}
      </div>
    </div>
  );
}

function Legend() {
  return (
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
    <div role="row" class="graph-lane-row">
      <div role="rowheader">
        <button
          type="button"
          class="graph-row"
          aria-label={last ? `${nameOf(node)} ${RUN_WORDS[last.state]()}` : undefined}
          onClick={() => act({ kind: 'show-node', node })}
        >
          {last && SIGNS[last.state]}
          {nameOf(node)}
        </button>
      </div>
      <div role="cell" class="graph-lane">
        <svg aria-hidden="true" width="100%" height="16">
          {visits.flatMap((visit) =>
            timeParts(visit, time).map(({ kind, from, length }, at) => (
              <rect
                key={`${visit.step} ${visit.beganAt} ${at}`}
                class={`graph-time ${kind}${visit.state === 'failed' || visit.state === 'stopped' ? ` ${visit.state}` : ''}`}
                x={`${from * 100}%`}
                width={`${Math.max(0.3, length * 100)}%`}
                y={kind === 'waited' ? 7 : 2}
                height={kind === 'waited' ? 2 : 12}
              />
            )),
          )}
        </svg>
      </div>
      {KINDS.map(([kind]) => (
        <span key={kind} role="cell" class="number">
          {sums[kind] > 0 ? durationWords(sums[kind]) : ''}
        </span>
      ))}
    </div>
  );
}
