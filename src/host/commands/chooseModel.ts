import * as vscode from 'vscode';
import { isAbort } from '../../base/abort';
import type { ModelListing } from '../../engine';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { notify } from '../shown/notify';
import { PickList, type PickRow } from '../shown/pickList';
import { ModelArrivals } from './modelArrivals';

type ModelItem = PickRow & { listing?: ModelListing; isOther?: true; isProblem?: true };

const OTHER: ModelItem = {
  icon: 'edit',
  label: 'Other Model…',
  isOther: true,
  detail: 'Enter it as provider:model',
  alwaysShow: true,
};

const ANSWERED_LATER: ModelItem = { label: 'answered later', kind: vscode.QuickPickItemKind.Separator };

/** How long quick servers are waited for, so that what is ready comes first and few rows come later. */
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
      if (picked?.isProblem) await openAddresses();
      if (id === undefined) return;
      await chat.session.configure({ model: id });
      await chats.tellModel(chat);
      if (picked?.listing) await helpToStart(picked.listing);
    },
  };
}

/** The list, until a row is taken (undefined when the person left). */
function pickModel(
  engine: Host['engine'],
  current: string,
  onError: (error: unknown) => void,
): Promise<ModelItem | undefined> {
  const list = new PickList<ModelItem>({
    title: 'Choose a Model',
    placeholder: 'Search models',
    matchOnDetail: true,
    keepScrollPosition: true,
  });
  const asking = new AbortController();
  fillWithModels(list, engine, current, asking.signal).catch((error: unknown) => {
    if (!isAbort(error)) onError(error);
  });
  return list.chosen().finally(() => asking.abort());
}

/** Shows what is known soon, and below it the models of slower servers as they answer. */
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
    const item = (listing: ModelListing) => itemOf(listing, current);
    list.rows = [...early.map(item), OTHER, ...(late.length > 0 ? [ANSWERED_LATER, ...late.map(item)] : [])];
    if (active) list.goTo((row) => idOf(row) === idOf(active));
  };
  list.busy = true;
  const beShown = setTimeout(show, FIRST_ROWS_MS);
  try {
    await engine.models(signal, (known) => {
      arrivals.add(known, isShown());
      if (isShown()) show();
    });
  } finally {
    clearTimeout(beShown);
    if (!isShown()) show();
    if (!signal.aborted) list.busy = false;
    // Last and once, so that no row moves.
    if (!signal.aborted) list.rows = [...list.rows, ...engine.listProblems().map(problemItem)];
  }
}

/** What a row is known by while the list is made anew: its model, or nothing for the row that asks for another. */
function idOf({ listing }: ModelItem): string | undefined {
  return listing?.model.id;
}

function itemOf(listing: ModelListing, current: string): ModelItem {
  const { model } = listing;
  return {
    label: model.label,
    description: `${model.id}${model.id === current ? ' · current' : ''}`,
    detail: stateOf(listing),
    listing,
  };
}

function problemItem(problem: string): ModelItem {
  return { icon: 'warning', label: 'Open Settings', detail: problem, isProblem: true, alwaysShow: true };
}

function stateOf({ provider, ready, needsKey, scripted }: ModelListing): string {
  if (scripted) return 'scripted demo, no API key needed';
  if (ready) return provider;
  return needsKey ? `${provider} — needs an API key` : `${provider} — is not running, or its address is not set`;
}

async function helpToStart({ ready, needsKey, model, provider }: ModelListing): Promise<void> {
  if (ready) return;
  if (needsKey) {
    await vscode.commands.executeCommand('cairn.setApiKey', model.id);
    return;
  }
  const message = `${provider} is not responding. Start it, or set its address in Settings; no API key is needed.`;
  const choice = await notify('warning', message, 'Open Settings');
  if (choice) await openAddresses();
}

async function openAddresses(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn baseUrl');
}

function askForId(engine: Host['engine']): Thenable<string | undefined> {
  return askText({
    title: 'Model',
    prompt: 'Enter it as provider:model, for example openai:gpt-5',
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
