import * as vscode from 'vscode';
import { effectivePromptUri } from '../../customize/contentDocuments';
import type { Host } from '../../host';
import type { Command } from '../command';

/** Opens what an agent is told and which tools it has, without running it. */
export function showEffectivePrompt({ engine }: Host): Command {
  return {
    name: 'showEffectivePrompt',
    async run(argument) {
      const { pickContent } = await import('../../customize/customizeParts');
      const options = { title: 'Show the effective prompt of an agent', kinds: ['agents'] } as const;
      const picked = await pickContent(engine, argument, options);
      if (!picked) return;
      const document = await vscode.workspace.openTextDocument(effectivePromptUri(picked.item.name));
      await vscode.window.showTextDocument(document, { preview: false });
    },
  };
}
