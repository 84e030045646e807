import * as vscode from 'vscode';
import { isAbort } from '../../base/abort';
import { t } from '../../base/l10n';
import type { ModelListing } from '../../engine';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { notify } from '../shown/notify';
import { PickList, type PickRow } from '../shown/pickList';
import { isOffered, ModelArrivals, modelFacts, modelLines } from './modelRows';

type ModelItem = PickRow & { listing?: ModelListing; isOther?: true; addsKey?: true; isProblem?: true };

const OTHER: ModelItem = {
  icon: 'edit',
  get label() {
    return t('Other Model…');
  },
  isOther: true,
  get detail() {
    return t('Enter it as provider:model');
  },
  alwaysShow: true,
};

const ADD_KEY: ModelItem = {
  icon: 'key',
  get label() {
    return t('Add an API Key…');
  },
  addsKey: true,
  alwaysShow: true,
};

const ANSWERED_LATER: ModelItem = {
  get label() {
    return t('answered later');
  },
  kind: vscode.QuickPickItemKind.Separator,
};

/** How long to wait for fast servers, so that available models come first and few rows arrive later. */
const FIRST_ROWS_MS = 250;

export function chooseModel({ engine, chats, currentChat, panels, log }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const picked = await pickModel(engine, chat.state.model.id, (error) =>
        log.error('The models could not be listed', error),
      );
      const id = picked?.isOther ? await askForId(engine) : picked?.listing?.model.id;
      panels.backToPanel();
      if (picked?.isProblem) await vscode.commands.executeCommand('cairn.openBaseUrls');
      if (picked?.addsKey) await vscode.commands.executeCommand('cairn.setApiKey');
      if (id === undefined) return;
      await chat.session.configure({ model: id });
      await chats.tellModel(chat);
      if (picked?.listing) await helpToStart(picked.listing);
    },
  };
}

/** Shows the list until a row is picked; undefined if the user dismissed it. */
function pickModel(
  engine: Host['engine'],
  current: string,
  onError: (error: unknown) => void,
): Promise<ModelItem | undefined> {
  const list = new PickList<ModelItem>({
    title: t('Choose a Model'),
    placeholder: t('Search models'),
    keepScrollPosition: true,
  });
  const asking = new AbortController();
  fillWithModels(list, engine, current, asking.signal).catch((error: unknown) => {
    if (!isAbort(error)) onError(error);
  });
  return list.chosen().finally(() => asking.abort());
}

/** Shows the models known early, then appends those of slower servers as they respond. */
async function fillWithModels(
  list: PickList<ModelItem>,
  engine: Host['engine'],
  current: string,
  signal: AbortSignal,
): Promise<void> {
  const arrivals = new ModelArrivals<ModelListing>();
  const isShown = () => list.rows.length > 0;
  const show = () => {
    if (signal.aborted) return;
    const { active } = list;
    const { early, late } = arrivals.rows();
    const lines = modelLines(early, current, () => unlisted(engine, current)).map((line) =>
      'heading' in line ? heading(line.heading) : itemOf(line.listing),
    );
    const others = late.filter(({ model }) => model.id !== current).map(itemOf);
    list.rows = [...lines, OTHER, ADD_KEY, ...(others.length > 0 ? [ANSWERED_LATER, ...others] : [])];
    if (active) list.goTo((row) => isSame(row, active));
  };
  list.busy = true;
  const beShown = setTimeout(show, FIRST_ROWS_MS);
  try {
    await engine.models(signal, (known) => {
      arrivals.add(
        known.filter((listing) => isOffered(listing, current)),
        isShown(),
      );
      if (isShown()) show();
    });
  } finally {
    clearTimeout(beShown);
    if (!isShown()) show();
    if (!signal.aborted) list.busy = false;
    // Added last and only once, so that no row moves.
    if (!signal.aborted) list.rows = [...list.rows, ...engine.listProblems().map(problemItem)];
  }
}

/** Whether a row is the same as one from before the list was rebuilt. */
function isSame(row: ModelItem, before: ModelItem): boolean {
  if (before.listing) return row.listing?.model.id === before.listing.model.id;
  return before.isOther ? row.isOther === true : before.addsKey === true && row.addsKey === true;
}

/** The current model if no list includes it; undefined if its provider is gone. */
function unlisted(engine: Host['engine'], id: string): ModelListing | undefined {
  if (problemWith(id, engine) !== undefined) return undefined;
  return { model: engine.describeModel(id), provider: '', ready: true, needsKey: false, scripted: false };
}

function heading(label: string): ModelItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function itemOf(listing: ModelListing): ModelItem {
  const state = stateOf(listing);
  return {
    label: listing.model.label,
    description: `${modelFacts(listing.model)}${state === '' ? '' : ` · ${state}`}`,
    listing,
  };
}

function problemItem(problem: string): ModelItem {
  return { icon: 'warning', label: t('Open Settings'), detail: problem, isProblem: true, alwaysShow: true };
}

/** Empty for models that can answer right away. */
function stateOf({ ready, needsKey, scripted }: ModelListing): string {
  if (scripted) return t('scripted demo, no API key needed');
  if (ready) return '';
  return needsKey ? t('needs an API key') : t('not running, or its address is not set');
}

async function helpToStart({ ready, needsKey, model, provider }: ModelListing): Promise<void> {
  if (ready) return;
  if (needsKey) {
    await vscode.commands.executeCommand('cairn.setApiKey', model.id);
    return;
  }
  const message = t('{0} is not responding. Start it, or set its address in Settings; no API key is needed.', provider);
  const choice = await notify('warning', message, { title: t('Open Settings'), means: 'open' });
  if (choice) await vscode.commands.executeCommand('cairn.openBaseUrls');
}

function askForId(engine: Host['engine']): Thenable<string | undefined> {
  return askText({
    title: t('Model'),
    prompt: t('Enter it as provider:model, for example openai:gpt-5'),
    ignoreFocusOut: true,
    validateInput: (text) => problemWith(text, engine),
  });
}

function problemWith(id: string, engine: Host['engine']): string | undefined {
  try {
    engine.describeModel(id.trim());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
