import { useMemo, useRef, useState } from 'preact/hooks';
import { safeLine } from '../../src/base/shown/safeText';
import type { GraphFormat, GraphView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { exportPng, exportSvg } from './exportSvg';
import { GraphCanvas } from './GraphCanvas';
import { GraphList } from './GraphList';
import { GraphWords, nameOf } from './graphWords';

interface GraphPageProps {
  view: GraphView;
  act: (action: PageAction) => void;
}

const FORMATS: readonly (readonly [GraphFormat, string])[] = [
  ['svg', 'SVG'],
  ['png', 'PNG'],
  ['mermaid', 'Mermaid'],
];

/** A graph, drawn and as a list, with what is wrong with it. */
export function GraphPage({ view, act }: GraphPageProps) {
  const [isList, setIsList] = useState(false);
  const [failure, setFailure] = useState('');
  const words = useMemo(() => new GraphWords(view), [view]);
  const page = useRef<HTMLDivElement>(null);
  const save = (format: GraphFormat) => {
    setFailure('');
    dataOf(page.current, format).then(
      (data) => act({ kind: 'export-graph', format, data }),
      () => setFailure('The picture could not be drawn. Export the graph as SVG instead.'),
    );
  };
  return (
    <div class="graph-page" ref={page}>
      <header class="graph-head">
        <h1>{nameOf(view.name)}</h1>
        <button type="button" class="page-button" aria-pressed={isList} onClick={() => setIsList(!isList)}>
          Show as list
        </button>
        {view.canRun && (
          <button type="button" class="page-button" onClick={() => act({ kind: 'run-graph' })}>
            Run
          </button>
        )}
        <div class="graph-export" role="group" aria-label="Export">
          {FORMATS.map(([format, title]) => (
            <button
              key={format}
              type="button"
              class="page-button"
              aria-label={`Export as ${title}`}
              title={`Export as ${title}`}
              disabled={!view.drawing}
              onClick={() => save(format)}
            >
              {title}
            </button>
          ))}
        </div>
      </header>
      <p class="graph-note" role="status">
        {failure || view.note}
      </p>
      <GraphCanvas view={view} words={words} isHidden={isList} act={act} />
      {isList && <GraphList view={view} words={words} act={act} />}
      <Problems view={view} act={act} />
    </div>
  );
}

function Problems({ view: { problems }, act }: GraphPageProps) {
  if (problems.length === 0) return null;
  return (
    <section class="graph-problems" aria-label="Problems">
      <h2>Problems</h2>
      <ul>
        {problems.map(({ line, text, isError, node }, at) => (
          <li key={at}>
            <button type="button" class="graph-row" onClick={() => act({ kind: 'show-line', line })}>
              <span class={isError ? 'graph-error' : 'graph-warning'}>{isError ? 'Error' : 'Warning'}</span> in line{' '}
              {line}
              {node !== null && `, ${nameOf(node)}`}: {safeLine(text, 1000)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function dataOf(page: HTMLElement | null, format: GraphFormat): Promise<string> {
  const svg = page?.querySelector<SVGSVGElement>('.graph-svg');
  if (!svg || format === 'mermaid') return '';
  const exported = exportSvg(svg);
  return format === 'svg' ? exported.text : exportPng(exported);
}
