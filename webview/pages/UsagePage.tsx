import { t } from '../../src/base/l10n';
import { costWords } from '../../src/protocol/costWords';
import {
  type PageAction,
  USAGE_DAYS,
  USAGE_GROUPS,
  type UsageFilter,
  type UsageGroup,
  type UsageRow,
  type UsageView,
} from '../../src/protocol/pages';
import { pageLanguage } from '../ui/dateWords';
import { tokenWords } from '../ui/words';
import { Choice } from './Choice';
import { UsagePlot } from './UsagePlot';

interface UsagePageProps {
  view: UsageView;
  act: (action: PageAction) => void;
}

const GROUP_WORDS: Readonly<Record<UsageGroup, { one: () => string; all: () => string; table: () => string }>> = {
  model: { one: () => t('Model'), all: () => t('All models'), table: () => t('Usage by model') },
  agent: { one: () => t('Agent'), all: () => t('All agents'), table: () => t('Usage by agent') },
  folder: { one: () => t('Folder'), all: () => t('All folders'), table: () => t('Usage by folder') },
};

/** Tokens and cost over time: filters, a plot, and tables. */
export function UsagePage({ view, act }: UsagePageProps) {
  const { filter, total, rows, days, problems } = view;
  return (
    <>
      <header class="page-head">
        <h1>{t('Usage')}</h1>
        <p class="page-sum">{sumWords(total)}</p>
      </header>
      <UsageFilters view={view} act={act} />
      {problems.map((problem) => (
        <p key={problem} class="page-problem">
          {problem}
        </p>
      ))}
      {total.requests === 0 ? (
        <p class="page-empty">{t('No usage recorded in this period.')}</p>
      ) : (
        <>
          <UsagePlot view={view} />
          <UsageTable head={GROUP_WORDS[filter.by].one()} label={GROUP_WORDS[filter.by].table()} rows={rows} />
          <UsageTable head={t('Day')} label={t('Usage by day')} rows={[...days].reverse()} />
        </>
      )}
      <p class="page-note">
        {t('Recorded on this machine only. Costs are computed from the list prices of known models.')}
      </p>
    </>
  );
}

function UsageFilters({ view, act }: UsagePageProps) {
  const { filter } = view;
  const choose = (change: Partial<UsageFilter>) => {
    act({ kind: 'filter-usage', change });
  };
  return (
    <div class="page-bar" role="group" aria-label={t('Filters')}>
      <Choice
        label={t('Period')}
        value={String(filter.days)}
        options={USAGE_DAYS.map((days) => [
          String(days),
          days === 365 ? t('Last 12 months') : t('Last {0} days', days),
        ])}
        onChoose={(value) => choose({ days: USAGE_DAYS.find((days) => String(days) === value) ?? 30 })}
      />
      {USAGE_GROUPS.map((group) => (
        <Choice
          key={group}
          label={GROUP_WORDS[group].one()}
          value={filter[group] ?? ''}
          options={[['', GROUP_WORDS[group].all()], ...optionsOf(view, group)]}
          onChoose={(value) => choose({ [group]: value === '' ? null : value })}
        />
      ))}
      <Choice
        label={t('Group by')}
        value={filter.by}
        options={USAGE_GROUPS.map((group) => [group, GROUP_WORDS[group].one()])}
        onChoose={(value) => choose({ by: USAGE_GROUPS.find((group) => group === value) ?? 'model' })}
      />
      <Choice
        label={t('Show')}
        value={filter.measure}
        options={[
          ['cost', t('Cost')],
          ['tokens', t('Tokens')],
        ]}
        onChoose={(value) => choose({ measure: value === 'tokens' ? 'tokens' : 'cost' })}
      />
      <button type="button" class="page-button" onClick={() => act({ kind: 'export-usage' })}>
        {t('Export CSV…')}
      </button>
    </div>
  );
}

/** Keeps the current choice available even if the period contains none of it. */
function optionsOf({ filter, choices }: UsageView, group: UsageGroup): [string, string][] {
  const chosen = filter[group];
  const names = chosen === null || choices[group].includes(chosen) ? choices[group] : [chosen, ...choices[group]];
  return names.map((name) => [name, name]);
}

interface UsageTableProps {
  head: string;
  label: string;
  rows: readonly UsageRow[];
}

function UsageTable({ head, label, rows }: UsageTableProps) {
  return (
    <div class="page-table" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {[t('Requests'), t('Input'), t('From cache'), t('Output'), t('Cost')].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              {[row.requests, row.inputTokens, row.cachedInputTokens, row.outputTokens].map((value, at) => (
                <td key={at} class="number">
                  {value.toLocaleString(pageLanguage())}
                </td>
              ))}
              <td class="number">{costOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Prefixes "at least" if some prices are unknown. */
function costOf({ costUsd, unpriced, requests }: UsageRow): string {
  if (unpriced === requests) return t('unknown');
  return unpriced > 0 ? t('at least {0}', costWords(costUsd)) : costWords(costUsd);
}

function sumWords(total: UsageRow): string {
  if (total.requests === 0) return '';
  const tokens = tokenWords(total.inputTokens + total.outputTokens);
  const cost = total.unpriced === total.requests ? '' : `${costOf(total)} · `;
  const requests = total.requests === 1 ? t('1 request') : t('{0} requests', total.requests);
  return `${cost}${tokens} · ${requests}`;
}
