import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { GraphFormat, GraphRunView, GraphView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { durationWords } from '../ui/words';
import { exportPng, exportSvg } from './exportSvg';
import { GraphCanvas } from './GraphCanvas';
import { GraphList } from './GraphList';
import { Sentence } from '../ui/Sentence';
import { GraphTimeline } from './GraphTimeline';
import { GraphWords, nameOf } from './graphWords';
import { RunComparison } from './RunComparison';
import { RunTools } from './RunTools';
import { SeenFirst } from './seenFirst';
import { VisitDetail } from './VisitDetail';
import { isAtWork, RUN_WORDS, usedFacts } from './visitWords';

interface GraphPageProps {
  view: GraphView;
  act: (action: PageAction) => void;
}

const FORMATS: readonly (readonly [GraphFormat, string])[] = [
  ['svg', 'SVG'],
  ['png', 'PNG'],
  ['mermaid', 'Mermaid'],
];

/** A graph, as a drawing and as a list, with its problems. */
export function GraphPage({ view, act }: GraphPageProps) {
  const { run } = view;
  const [form, setForm] = useState<Form>('drawing');
  // Next to the drawing if there is room for both.
  const [hasTimeline, setTimeline] = useState(() => window.innerWidth >= ROOM_FOR_BOTH);
  const [failure, setFailure] = useState('');
  const now = useSeconds(run !== null && isAtWork(run.state));
  const words = useMemo(() => new GraphWords(view, now), [view, now]);
  const page = useRef<HTMLDivElement>(null);
  const [seen] = useState(() => new SeenFirst('.graph-room', BOXES_AT_A_TIME));
  const save = (format: GraphFormat) => {
    setFailure('');
    dataOf(page.current, seen, format).then(
      (data) => act({ kind: 'export-graph', format, data }),
      () => setFailure(t('The image could not be drawn. Export the graph as SVG instead.')),
    );
  };
  return (
    <div class="graph-page" ref={page}>
      <Head
        view={view}
        now={now}
        isList={form === 'list'}
        hasTimeline={hasTimeline}
        toggleList={() => setForm(form === 'list' ? 'drawing' : 'list')}
        toggleTimeline={() => setTimeline(!hasTimeline)}
        save={save}
        act={act}
      />
      <p class="graph-note" role="status">
        {failure || view.note}
      </p>
      <div class="graph-body">
        <GraphCanvas view={view} words={words} seen={seen} isHidden={form !== 'drawing'} act={act} />
        {form === 'list' && <GraphList view={view} words={words} act={act} />}
        {run && hasTimeline && <GraphTimeline run={run} now={now} act={act} />}
      </div>
      {run?.comparison && <RunComparison comparison={run.comparison} />}
      {run?.detail && <VisitDetail run={run} detail={run.detail} now={now} act={act} />}
      <Problems view={view} act={act} />
    </div>
  );
}

type Form = 'drawing' | 'list';

const ROOM_FOR_BOTH = 1000;
const BOXES_AT_A_TIME = { seen: 12, unseen: 25 };

interface HeadProps extends GraphPageProps {
  now: number;
  isList: boolean;
  hasTimeline: boolean;
  toggleList: () => void;
  toggleTimeline: () => void;
  save: (format: GraphFormat) => void;
}

function Head({ view, now, isList, hasTimeline, toggleList, toggleTimeline, save, act }: HeadProps) {
  const { run, name, canRun, drawing } = view;
  const toggle = (isOn: boolean, onClick: () => void, words: string) => (
    <button type="button" class="page-button" aria-pressed={isOn} onClick={onClick}>
      {words}
    </button>
  );
  return (
    <header class="graph-head">
      <h1>{nameOf(name)}</h1>
      {run && <span class="graph-run-facts">{runFacts(run, now)}</span>}
      {run && <RunTools run={run} act={act} />}
      {toggle(isList, toggleList, t('Show as list'))}
      {run && toggle(hasTimeline, toggleTimeline, t('Show timeline'))}
      {canRun && (
        <button type="button" class="page-button" onClick={() => act({ kind: 'run-graph' })}>
          {t('Run')}
        </button>
      )}
      <div class="graph-export" role="group" aria-label={t('Export')}>
        <span aria-hidden="true">{t('Export')}</span>
        {FORMATS.map(([format, title]) => (
          <button
            key={format}
            type="button"
            class="page-button"
            aria-label={t('Export as {0}', title)}
            title={t('Export as {0}', title)}
            disabled={!drawing}
            onClick={() => save(format)}
          >
            {title}
          </button>
        ))}
      </div>
    </header>
  );
}

function runFacts(run: GraphRunView, now: number): string {
  const end = run.endedAt ?? (isAtWork(run.state) ? Math.max(now, run.beganAt) : null);
  const time = end === null ? [] : [durationWords(end - run.beganAt)];
  return [RUN_WORDS[run.state](), ...time, ...usedFacts(run)].join(' · ');
}

/** Returns the time, updated every second while something is running. */
function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

function Problems({ view: { problems }, act }: GraphPageProps) {
  if (problems.length === 0) return null;
  return (
    <section class="graph-problems" aria-label={t('Problems')}>
      <h2>{t('Problems')}</h2>
      <ul>
        {problems.map(({ line, text, isError, node }, at) => (
          <li key={at}>
            <button type="button" class="graph-row" onClick={() => act({ kind: 'show-line', line })}>
              <Sentence
                words={t('{0} in line {1}')}
                parts={[
                  <span class={isError ? 'graph-error' : 'graph-warning'}>{isError ? t('Error') : t('Warning')}</span>,
                  line,
                ]}
              />
              {node !== null && `, ${nameOf(node)}`}: {safeLine(text, 1000)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function dataOf(page: HTMLElement | null, seen: SeenFirst, format: GraphFormat): Promise<string> {
  await seen.catchUp();
  const svg = page?.querySelector<SVGSVGElement>('.graph-svg');
  if (!svg || format === 'mermaid') return '';
  const exported = exportSvg(svg);
  return format === 'svg' ? exported.text : exportPng(exported);
}
