import * as vscode from 'vscode';
import { PROVIDER_KEYS } from '../../engine';
import type { Host } from '../host';
import type { Command } from './command';

const PROVIDERS = PROVIDER_KEYS.map(({ id, label, needed }) => ({
  id,
  label,
  description: needed ? '' : 'works without a key too',
}));

/** Asks for a key and keeps it in the editor's secret storage, nowhere else. */
export function setApiKey({ secrets, chats }: Host): Command {
  return {
    name: 'setApiKey',
    async run(argument) {
      const wished = typeof argument === 'string' ? argument.split(':', 1)[0] : undefined;
      const provider =
        PROVIDERS.find(({ id }) => id === wished) ??
        (await vscode.window.showQuickPick(PROVIDERS, { title: 'Whose API key?' }));
      if (!provider) return;
      const key = await vscode.window.showInputBox({
        title: `API key for ${provider.label}`,
        prompt: 'It is kept in the secret storage of the editor. Leave it empty to forget the key.',
        password: true,
        ignoreFocusOut: true,
      });
      if (key === undefined) return;
      await secrets.set(`apiKey.${provider.id}`, key.trim());
      await chats.defaultModelChanged();
      const done = key.trim() === '' ? 'forgotten' : 'kept';
      void vscode.window.showInformationMessage(`The API key for ${provider.label} is ${done}.`);
    },
  };
}
