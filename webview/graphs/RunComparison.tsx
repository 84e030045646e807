import { safeLine } from '../../src/base/shown/safeText';
import type { ComparedVisitView, RunComparisonView } from '../../src/protocol/graphPage';
import { durationWords } from '../ui/words';
import { nameOf } from './graphWords';
import { RUN_WORDS, usedFacts } from './visitWords';

/** The run that is shown beside another one, node by node. */
export function RunComparison({ comparison: { with: other, rows } }: { comparison: RunComparisonView }) {
  const differing = rows.filter(({ differs }) => differs).length;
  return (
    <section class="graph-comparison" aria-label="Comparison" tabIndex={0}>
      <h2>Compared with the run of {new Date(other.beganAt).toLocaleString()}</h2>
      <p class="graph-row-ways">
        {safeLine(other.prompt, 300)} · {RUN_WORDS[other.state]} ·{' '}
        {differing === 0 ? 'no node differs' : `${differing} of ${rows.length} differ`}
      </p>
      <table class="graph-changes">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">This run</th>
            <th scope="col">Other run</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, one, other: second, differs, changes }, at) => (
            <tr key={at} class={differs ? 'graph-differs' : undefined}>
              <th scope="row">{nameOf(node)}</th>
              <td>{visitWords(one)}</td>
              <td>{visitWords(second)}</td>
              <td>
                {differs ? (changes.length === 0 ? 'differs' : null) : 'same'}
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
  return text === null ? <em>not set</em> : <code>{safeLine(text, 300)}</code>;
}

function visitWords(visit: ComparedVisitView | null): string {
  if (!visit) return 'did not run';
  const time = visit.durationMs === null ? [] : [durationWords(visit.durationMs)];
  const went = visit.targets.length === 0 ? [] : [`went to ${visit.targets.map((id) => nameOf(id)).join(', ')}`];
  return [RUN_WORDS[visit.state], ...time, ...usedFacts(visit), ...went].join(' · ');
}
