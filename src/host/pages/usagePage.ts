import { dirname } from 'node:path';
import { t } from '../../base/l10n';
import { dayOf, readUsage, sumUsage, totalUsage, usageCsv, type UsageRecord } from '../../engine';
import { USAGE_GROUPS, type UsageFilter, type UsageGroup, type UsageView } from '../../protocol/pages';
import type { Command, Host } from '../host';
import { exportFile, PagePanel } from './pagePanel';

/** The number of colors in the plot. Remaining series are combined. */
const MOST_SERIES = 6;

const pages = new WeakMap<Host['chats'], PagePanel>();

/** Shows tokens and cost over time, from this machine's records. */
export function showUsage(host: Host): Command {
  return {
    async run() {
      const page = pages.get(host.chats) ?? usagePage(host);
      pages.set(host.chats, page);
      await page.show();
      host.panels.backToPanel();
    },
  };
}

function usagePage({ engine, files, paths, log, extensionUri }: Host): PagePanel {
  let filter: UsageFilter = { days: 30, by: 'model', measure: 'cost', model: null, agent: null, folder: null };
  let isMeasureChosen = false;
  const recordFolder = dirname(engine.audit.path);
  const read = () => readUsage(recordFolder, { files, paths }, daysAgo(filter.days - 1));
  return new PagePanel({
    type: 'cairn.usage',
    title: t('Cairn Usage'),
    extensionUri,
    log,
    async view() {
      const { records, problems } = await read();
      if (!isMeasureChosen) filter = { ...filter, measure: measureOf(records.filter(fits(filter))) };
      return usageView(records, filter, problems);
    },
    async act(action) {
      if (action.kind === 'filter-usage') {
        filter = Object.assign({}, filter, action.change);
        isMeasureChosen ||= action.change.measure !== undefined;
      } else if (action.kind === 'export-usage') await exportCsv((await read()).records.filter(fits(filter)));
    },
  });
}

/** Cost, unless no price is known: a plot of it would be empty. */
function measureOf(records: readonly UsageRecord[]): UsageFilter['measure'] {
  const { requests, unpriced } = totalUsage(records);
  return requests > 0 && unpriced === requests ? 'tokens' : 'cost';
}

/** The page's data, from the records of its period. */
function usageView(records: readonly UsageRecord[], filter: UsageFilter, problems: readonly string[]): UsageView {
  const shown = records.filter(fits(filter));
  const rows = sumUsage(shown, filter.by);
  const isSplit = rows.length > MOST_SERIES;
  const series = rows.slice(0, isSplit ? MOST_SERIES - 1 : MOST_SERIES).map(({ name }) => name);
  const choices = (key: UsageGroup) => sumUsage(records, key).map(({ name }) => name);
  return {
    page: 'usage',
    filter,
    rows,
    problems,
    days: sumUsage(shown, 'day'),
    total: totalUsage(shown),
    choices: { model: choices('model'), agent: choices('agent'), folder: choices('folder') },
    series: isSplit ? [...series, t('Others')] : series,
    plot: plotOf(shown, filter, series, isSplit),
  };
}

function plotOf(records: readonly UsageRecord[], filter: UsageFilter, series: readonly string[], isSplit: boolean) {
  const days = Array.from({ length: filter.days }, (_, at) => dayOf(daysAgo(filter.days - 1 - at)));
  const values = new Map(days.map((day) => [day, new Array<number>(series.length + (isSplit ? 1 : 0)).fill(0)]));
  for (const record of records) {
    const ofDay = values.get(dayOf(record.time));
    const at = series.indexOf(record[filter.by]);
    const place = at < 0 ? series.length : at;
    const { costUsd, inputTokens, outputTokens } = record;
    if (ofDay) ofDay[place] = (ofDay[place] ?? 0) + (filter.measure === 'cost' ? costUsd : inputTokens + outputTokens);
  }
  return [...values].map(([day, parts]) => ({ day, values: parts }));
}

function fits(filter: UsageFilter): (record: UsageRecord) => boolean {
  return (record) => USAGE_GROUPS.every((key) => filter[key] === null || filter[key] === record[key]);
}

function exportCsv(records: readonly UsageRecord[]): Promise<void> {
  const bytes = new TextEncoder().encode(usageCsv(records));
  return exportFile({ what: t('Usage'), name: 'cairn-usage.csv', folder: '', filters: { CSV: ['csv'] }, bytes });
}

/** The start of a day in the local time zone. */
function daysAgo(days: number): number {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  return date.setDate(date.getDate() - days);
}
