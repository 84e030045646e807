import { t } from '../../base/l10n';
import { reportMarkdown, type SourceReport } from '../../node/import/importReport';
import type { Host } from '../host';
import { TextPages } from '../shown/textPages';

const pages = new TextPages('cairn-import', false);

/** Shows what became of each thing, as a document that cannot be changed; the next import takes its place. */
export async function showReport(reports: readonly SourceReport[], config: Host['config']): Promise<void> {
  const text = [`# ${t('Import report')}`, ...reports.map(reportMarkdown)].join('\n\n');
  await pages.show(config, { path: '/Import report.md', text }, { preview: true });
}
