import * as vscode from 'vscode';
import type { ModelListing } from '../../engine';
import type { Host } from '../host';
import type { Command } from './command';

type ModelItem = vscode.QuickPickItem & { choice: 'listed' | 'other'; listing?: ModelListing };

export function chooseModel({ engine, chats, currentChat }: Host): Command {
  return {
    name: 'chooseModel',
    async run() {
      const chat = await currentChat();
      const picked = await vscode.window.showQuickPick(itemsOf(await engine.models(), chat.state.model.id), {
        title: 'Choose the model of this session',
        placeHolder: 'Models whose provider has a key come first',
        matchOnDescription: true,
      });
      const id = picked?.choice === 'other' ? await askForId(engine) : picked?.listing?.model.id;
      if (id === undefined) return;
      await chat.session.configure({ model: id });
      chat.publish([{ type: 'model-changed', model: await chats.modelOf(chat.session) }]);
      if (picked?.listing && !picked.listing.ready) await vscode.commands.executeCommand('cairn.setApiKey', id);
    },
  };
}

function itemsOf(listings: readonly ModelListing[], current: string): ModelItem[] {
  const items = listings.map((listing): ModelItem => {
    const { model, provider, ready, scripted } = listing;
    const state = scripted ? 'scripted, needs no key' : ready ? provider : `${provider} — needs an API key`;
    return {
      label: model.label,
      description: `${model.id}${model.id === current ? ' · current' : ''}`,
      detail: state,
      choice: 'listed',
      listing,
    };
  });
  return [
    ...items,
    { label: '$(edit) Another model…', detail: 'Write it as provider:model', choice: 'other', alwaysShow: true },
  ];
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
