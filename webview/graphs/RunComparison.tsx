import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { ComparedVisitView, RunComparisonView } from '../../src/protocol/graphPage';
import { dateWords } from '../ui/dateWords';
import { durationWords } from '../ui/words';
import { nameOf } from './graphWords';
import { RUN_WORDS, usedFacts } from './visitWords';

/** The run compared with another one, node by node. */
export function RunComparison({ comparison: { with: other, rows } }: { comparison: RunComparisonView }) {
  const differing = rows.filter(({ differs }) => differs).length;
  return (
    <section class="graph-comparison" aria-label={t('Comparison')} tabIndex={0}>
      <h2>
        {t('Compared with the run of {0}', dateWords(other.beganAt, { dateStyle: 'medium', timeStyle: 'medium' }))}
      </h2>
      <p class="graph-row-ways">
        {safeLine(other.prompt, 300)} · {RUN_WORDS[other.state]()} ·{' '}
        {differing === 0 ? t('no node differs') : t('{0} of {1} differ', differing, rows.length)}
      </p>
      <table class="graph-changes">
        <thead>
          <tr>
            <th scope="col">{t('Node')}</th>
            <th scope="col">{t('This run')}</th>
            <th scope="col">{t('Other run')}</th>
            <th scope="col">{t('Difference')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, one, other: second, differs, changes }, at) => (
            <tr key={at} class={differs ? 'graph-differs' : undefined}>
              <th scope="row">{nameOf(node)}</th>
              <td>{visitWords(one)}</td>
              <td>{visitWords(second)}</td>
              <td>
                {differs ? (changes.length === 0 ? t('differs') : null) : t('same')}
                {changes.map(({ key, one: mine, other: theirs }) => (
                  <div key={key}>
                    {nameOf(key)}: <Value text={mine} /> / <Value text={theirs} />
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ text }: { text: string | null }) {
  return text === null ? <em>{t('not set')}</em> : <code>{safeLine(text, 300)}</code>;
}

function visitWords(visit: ComparedVisitView | null): string {
  if (!visit) return t('did not run');
  const time = visit.durationMs === null ? [] : [durationWords(visit.durationMs)];
  const went = visit.targets.length === 0 ? [] : [t('went to {0}', visit.targets.map((id) => nameOf(id)).join(', '))];
  return [RUN_WORDS[visit.state](), ...time, ...usedFacts(visit), ...went].join(' · ');
}
