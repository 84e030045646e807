import * as vscode from 'vscode';
import { isAbort } from '../../base/abort';
import type { ModelListing } from '../../engine';
import type { Host } from '../host';
import type { Command } from './command';

type ModelItem = vscode.QuickPickItem & { listing?: ModelListing };

const OTHER: ModelItem = {
  label: '$(edit) Another model…',
  detail: 'Write it as provider:model',
  alwaysShow: true,
};

export function chooseModel({ engine, chats, currentChat, log }: Host): Command {
  return {
    name: 'chooseModel',
    async run() {
      const chat = await currentChat();
      const picked = await pickModel(engine, chat.state.model.id, (error) =>
        log.error('The models could not be listed', error),
      );
      const id = picked === OTHER ? await askForId(engine) : picked?.listing?.model.id;
      if (id === undefined) return;
      await chat.session.configure({ model: id });
      chat.publish([{ type: 'model-changed', model: await chats.modelOf(chat.session) }]);
      if (picked?.listing) await helpToStart(picked.listing);
    },
  };
}

/** Shows at once what is known, and the models of slower servers as they answer. */
function pickModel(
  engine: Host['engine'],
  current: string,
  onError: (error: unknown) => void,
): Promise<ModelItem | undefined> {
  const pick = vscode.window.createQuickPick<ModelItem>();
  pick.title = 'Choose the model of this session';
  pick.placeholder = 'Models that are ready come first';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  pick.busy = true;
  pick.items = [OTHER];
  const asking = new AbortController();
  const show = (known: readonly ModelListing[]) => {
    if (asking.signal.aborted) return;
    const active = pick.activeItems[0]?.listing?.model.id;
    pick.items = [...known.map((listing) => itemOf(listing, current)), OTHER];
    const again = pick.items.find(({ listing }) => listing?.model.id === active);
    if (again?.listing) pick.activeItems = [again];
  };
  engine
    .models(asking.signal, show)
    .catch((error: unknown) => {
      if (!isAbort(error)) onError(error);
    })
    .finally(() => {
      if (!asking.signal.aborted) pick.busy = false;
    });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidHide(() => {
      asking.abort();
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
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

function stateOf({ provider, ready, needsKey, scripted }: ModelListing): string {
  if (scripted) return 'scripted, needs no key';
  if (ready) return provider;
  return needsKey ? `${provider} — needs an API key` : `${provider} — is not running, or its address is not set`;
}

async function helpToStart({ ready, needsKey, model, provider }: ModelListing): Promise<void> {
  if (ready) return;
  if (needsKey) {
    await vscode.commands.executeCommand('cairn.setApiKey', model.id);
    return;
  }
  const message = `${provider} does not answer. Start it, or set its address in the settings; it needs no API key.`;
  const choice = await vscode.window.showWarningMessage(message, 'Open settings');
  if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'cairn baseUrl');
}

function askForId(engine: Host['engine']): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Model',
    prompt: 'Write it as provider:model, for example openai:gpt-5',
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
