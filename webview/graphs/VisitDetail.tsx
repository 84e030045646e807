import type { GraphRunView, VisitDetailView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { nameOf } from './graphWords';
import { RUN_WORDS, visitFacts } from './visitWords';

interface VisitDetailProps {
  run: GraphRunView;
  detail: VisitDetailView;
  now: number;
  act: (action: PageAction) => void;
}

/** What a node was asked, what it said, and what it made of the state. */
export function VisitDetail({ run, detail, now, act }: VisitDetailProps) {
  const { node, step, prompt, output, before, changes, problem } = detail;
  const visits = run.visits.filter((visit) => visit.node === node);
  const visit = visits.findLast((one) => one.step === step);
  const steps = [...new Set(visits.map((one) => one.step))];
  const sessionId = visit?.sessionId ?? null;
  return (
    <section class="graph-detail" aria-label={`What ${nameOf(node)} did`}>
      <header class="graph-detail-head">
        <h2>{nameOf(node)}</h2>
        <span class="graph-row-ways">{visit && [RUN_WORDS[visit.state], ...visitFacts(visit, now)].join(' · ')}</span>
        {steps.length > 1 &&
          steps.map((one, at) => (
            <button
              key={one}
              type="button"
              class="page-button"
              aria-pressed={one === step}
              aria-label={`Time ${at + 1} of ${steps.length}`}
              onClick={() => act({ kind: 'show-visit', node, step: one })}
            >
              {at + 1}
            </button>
          ))}
        {sessionId !== null && (
          <button type="button" class="page-button" onClick={() => act({ kind: 'open-transcript', sessionId })}>
            Open transcript
          </button>
        )}
        <button type="button" class="page-button" onClick={() => act({ kind: 'hide-visit' })}>
          Close
        </button>
      </header>
      {problem !== null && <p class="page-problem">{problem}</p>}
      {visit?.message && <p class="page-problem">{visit.message}</p>}
      <Text title="Prompt" text={prompt} />
      <Text title="Output" text={output} />
      {changes.length > 0 && <Changes changes={changes} />}
      <details>
        <summary>State before</summary>
        <pre>{before}</pre>
      </details>
    </section>
  );
}

function Text({ title, text }: { title: string; text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </>
  );
}

function Changes({ changes }: Pick<VisitDetailView, 'changes'>) {
  return (
    <table class="graph-changes">
      <caption>Changes to the state</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ key, before, after }) => (
          <tr key={key}>
            <th scope="row">{nameOf(key)}</th>
            <td>{before === null ? <em>not set</em> : <pre>{before}</pre>}</td>
            <td>
              <pre>{after}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
