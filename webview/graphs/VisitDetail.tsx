import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { GraphRunView, VisitCallView, VisitDetailView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { durationWords } from '../ui/words';
import { nameOf } from './graphWords';
import { RetryForm } from './RetryForm';
import { isAtWork, RUN_WORDS, visitFacts } from './visitWords';

interface VisitDetailProps {
  run: GraphRunView;
  detail: VisitDetailView;
  now: number;
  act: (action: PageAction) => void;
}

/** A node's prompt, its output, and its changes to the state. */
export function VisitDetail({ run, detail, now, act }: VisitDetailProps) {
  const { node, step, prompt, output, calls, moreCalls, before, changes, problem } = detail;
  const visits = run.visits.filter((visit) => visit.node === node);
  const visit = visits.findLast((one) => one.step === step);
  const steps = [...new Set(visits.map((one) => one.step))];
  const sessionId = visit?.sessionId ?? null;
  return (
    <section class="graph-detail" aria-label={t('What {0} did', nameOf(node))}>
      <header class="graph-detail-head">
        <h2>{nameOf(node)}</h2>
        <span class="graph-row-ways">{visit && [RUN_WORDS[visit.state](), ...visitFacts(visit, now)].join(' · ')}</span>
        {steps.length > 1 &&
          steps.map((one, at) => (
            <button
              key={one}
              type="button"
              class="page-button"
              aria-pressed={one === step}
              aria-label={t('Time {0} of {1}', at + 1, steps.length)}
              onClick={() => act({ kind: 'show-visit', node, step: one })}
            >
              {at + 1}
            </button>
          ))}
        {visit && !isAtWork(visit.state) && <RetryForm key={`${node} ${step}`} detail={detail} act={act} />}
        {sessionId !== null && (
          <button type="button" class="page-button" onClick={() => act({ kind: 'open-transcript', sessionId })}>
            {t('Open transcript')}
          </button>
        )}
        <button type="button" class="page-button" onClick={() => act({ kind: 'hide-visit' })}>
          {t('Close')}
        </button>
      </header>
      {problem !== null && <p class="page-problem">{problem}</p>}
      {visit?.message && <p class="page-problem">{visit.message}</p>}
      <Text title={t('Prompt')} text={prompt} />
      {calls.length > 0 && <Calls calls={calls} more={moreCalls} />}
      <Text title={t('Output')} text={output} />
      {changes.length > 0 && <Changes changes={changes} />}
      <details>
        <summary>{t('State before')}</summary>
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

const OUTCOMES: Readonly<Record<VisitCallView['status'], () => string>> = {
  ok: () => t('done'),
  error: () => t('failed'),
  rejected: () => t('rejected'),
  cancelled: () => t('canceled'),
};

function Calls({ calls, more }: { calls: readonly VisitCallView[]; more: number }) {
  const ofItems = calls.some(({ item }) => item !== null);
  return (
    <table class="graph-calls">
      <caption>{t('Tools')}</caption>
      <thead>
        <tr>
          {ofItems && <th scope="col">{t('Item')}</th>}
          <th scope="col">{t('Tool')}</th>
          <th scope="col">{t('What it was about')}</th>
          <th scope="col">{t('Outcome')}</th>
          <th scope="col" class="number">
            {t('Time')}
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ tool, title, status, durationMs, item }, at) => (
          <tr key={at}>
            {ofItems && <td>{item}</td>}
            <th scope="row">{nameOf(tool)}</th>
            <td>{safeLine(title, 500)}</td>
            <td class={status === 'ok' ? undefined : 'graph-error'}>{OUTCOMES[status]()}</td>
            <td class="number">{durationWords(durationMs)}</td>
          </tr>
        ))}
        {more > 0 && (
          <tr>
            <td colSpan={ofItems ? 5 : 4}>{more === 1 ? t('1 more call') : t('{0} more calls', more)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Changes({ changes }: Pick<VisitDetailView, 'changes'>) {
  return (
    <table class="graph-changes">
      <caption>{t('Changes to the state')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Key')}</th>
          <th scope="col">{t('Before')}</th>
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ key, before, after }) => (
          <tr key={key}>
            <th scope="row">{nameOf(key)}</th>
            <td>{before === null ? <em>{t('not set')}</em> : <pre>{before}</pre>}</td>
            <td>
              <pre>{after}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
