import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../base/l10n';
import { storedName } from '../engine';
import { type ImportItem, ITEM_KINDS, type ItemKind } from '../node/import/importItem';
import { countText, plural, reportMarkdown, type SourceReport, summaryText } from '../node/import/importReport';
import {
  type ImportSource,
  type ScannedSource,
  scanSource,
  sourcesHere,
  sourcesNamed,
} from '../node/import/importSources';
import type { Places } from '../node/import/importTool';
import { type ImportTarget, type KeptSecret, type SecretSink, writeItems } from '../node/import/writeItems';
import type { Command, Host } from './host';
import { notify, withCancel } from './shown/notify';
import { pickRow, pickRows } from './shown/pickList';
import { TextPages } from './shown/textPages';

const title = () => t('Import from Another Tool');
/** Next to the bundle's folder. */
const ASSETS = join(__dirname, '..', 'assets');

interface Known extends ScannedSource {
  source: ImportSource;
}

/** Finds the data of other tools, lets the user choose what to copy, copies it, and reports on each item. */
export function importFromTools(host: Host): Command {
  return {
    async run() {
      const { env, configFolder: own } = host.config.parts;
      const places = { home: homedir(), env, platform: process.platform, own };
      const found = await withCancel(t('Looking for other tools…'), (signal) => foundHere(places, host, signal));
      if (!found) return;
      const sources = await chosenSources(found, places);
      const kinds = sources && (await chosenKinds(sources));
      if (!sources || !kinds) return;
      const reports = await withCancel(t('Importing…'), (signal, tellHowFar) =>
        importAll(sources, { kinds, host, signal, tellHowFar }),
      );
      if (reports) await tell(reports, host);
      else void notify('info', t('Import canceled. What was already copied stays; run the import again for the rest.'));
    },
  };
}

async function foundHere(places: Places, { log }: Host, signal: AbortSignal): Promise<Known[]> {
  const { sources, problems } = await sourcesHere(places, signal);
  for (const problem of problems) log.warn(problem);
  const known: Known[] = [];
  for (const source of sources) known.push({ source, ...(await scanSource(source, places.env)) });
  return known.filter(({ found }) => found.items.length > 0);
}

/** Returns undefined if the user canceled. */
async function chosenSources(found: readonly Known[], places: Places): Promise<readonly Known[] | undefined> {
  const each = found.map((one) => ({
    icon: 'folder-library',
    label: one.source.tool.name,
    description: one.source.source.root,
    detail: countText(one.found.items),
    chosen: [one],
  }));
  const all = {
    icon: 'checklist',
    label: t('Everything Found'),
    detail: countText(found.flatMap(itemsOf)),
    chosen: found,
  };
  const other = { icon: 'folder-opened', label: t('Choose a Folder…'), chosen: undefined };
  const picked = await pickRow([...(each.length > 1 ? [all] : []), ...each, other], {
    title: title(),
    placeHolder: each.length > 0 ? t('Choose what to import from') : t('No other tools found'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  return picked.chosen ?? folderOf(places);
}

function itemsOf({ found }: Known): readonly ImportItem[] {
  return found.items;
}

async function folderOf(places: Places): Promise<Known[] | undefined> {
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel: t('Import'), title: title() };
  const [folder] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (!folder) return undefined;
  return withCancel(t('Looking in the folder…'), async (signal) => {
    const sources = await sourcesNamed(folder.fsPath, places, signal);
    return Promise.all(sources.map(async (source) => ({ source, ...(await scanSource(source, places.env)) })));
  });
}

/** Everything except secrets is preselected. Returns undefined if the user canceled or chose nothing. */
async function chosenKinds(sources: readonly Known[]): Promise<ReadonlySet<ItemKind> | undefined> {
  const items = sources.flatMap(itemsOf);
  const rows = ITEM_KINDS.flatMap((kind) => {
    const some = items.filter((item) => item.kind === kind);
    if (kind === 'secret' || some.length === 0) return [];
    const detail = [...new Set(some.map(({ name }) => name))].slice(0, 8).join(', ');
    return [{ what: kind, label: `${some.length} ${plural(kind, some.length)}`, detail, picked: true }];
  });
  const secrets = items.filter(({ content }) =>
    content.type === 'secret' ? true : 'secrets' in content && content.secrets.size > 0,
  );
  const row = {
    what: 'secret' as const,
    label: t('Secrets'),
    description: t('into the secret storage of the editor'),
    detail: t('Without this they are left out, and the report names them'),
    picked: false,
  };
  const picked = await pickRows([...rows, ...(secrets.length > 0 ? [row] : [])], {
    title: title(),
    placeHolder: t('Choose what to copy; the originals are not changed'),
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked && picked.length > 0 ? new Set<ItemKind>(picked.map(({ what }) => what)) : undefined;
}

interface Import {
  kinds: ReadonlySet<ItemKind>;
  host: Host;
  signal: AbortSignal;
  tellHowFar: (words: string) => void;
}

async function importAll(
  sources: readonly Known[],
  { kinds, host, signal, tellHowFar }: Import,
): Promise<SourceReport[]> {
  const target: ImportTarget = {
    configFolder: host.config.parts.configFolder,
    workspace: host.mcpPlace().workspace,
    assetsFolder: ASSETS,
    secrets: kinds.has('secret') ? storageSink(host) : undefined,
    secretPlace: t('the secret storage'),
    howToAdd: () => t('“Cairn: Add Secret…”'),
    dryRun: false,
    given: new Set(),
    now: () => Date.now(),
  };
  const reports: SourceReport[] = [];
  for (const { source, found, strike } of sources) {
    const items = found.items.filter(({ kind }) => kinds.has(kind));
    let done = 0;
    const onRow = () => tellHowFar(t('{0}: {1} of {2}', source.tool.name, ++done, items.length));
    const rows = await writeItems(items, { id: source.tool.id, strike }, target, { signal, onRow });
    reports.push({ tool: source.tool.name, folder: source.source.root, rows, problems: found.problems });
  }
  return reports;
}

function storageSink({ secrets }: Host): SecretSink {
  return {
    async keep(found) {
      const outcomes: KeptSecret[] = [];
      for (const [name, value] of found) {
        const known = await secrets.kept(storedName(name));
        if (known === undefined) await secrets.set(storedName(name), value);
        outcomes.push(known === undefined ? 'kept' : known === value ? 'same' : 'other');
      }
      return outcomes;
    },
  };
}

async function tell(reports: readonly SourceReport[], host: Host): Promise<void> {
  await showReport(reports, host.config);
  const [rows, problems] = [reports.flatMap((one) => one.rows), reports.flatMap((one) => one.problems)];
  const level = rows.some(({ outcome }) => outcome === 'failed') || problems.length > 0 ? 'warning' : 'info';
  void notify(level, t('Import: {0}.', summaryText(rows, problems, false)));
}

const pages = new TextPages('cairn-import', false);

/** Shows the outcome for each item in a read-only document. The next import replaces it. */
async function showReport(reports: readonly SourceReport[], config: Host['config']): Promise<void> {
  const text = [`# ${t('Import report')}`, ...reports.map(reportMarkdown)].join('\n\n');
  await pages.show(config, { path: '/Import report.md', text }, { preview: true });
}
