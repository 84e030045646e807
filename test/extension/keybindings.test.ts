import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { commandId, PROPOSAL_SCHEME } from '../../src/host/contributionPoints';
import { COMMAND_NAMES } from '../../src/protocol/commands';

const manifestSchema = z.object({
  contributes: z.object({
    keybindings: z.array(z.object({ command: z.string(), key: z.string(), when: z.optional(z.string()) })),
  }),
});

describe('The key bindings', () => {
  const folder = vscode.extensions.getExtension('cairn-agents.cairn')?.extensionPath ?? '';
  const { contributes } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const ours = contributes.keybindings;

  it('refer to existing commands', () => {
    const known: readonly string[] = COMMAND_NAMES.map(commandId);
    assert.deepEqual(
      ours.filter(({ command }) => !known.includes(command)),
      [],
    );
  });

  it('override no key of the editor, except in our own documents', async () => {
    const defaults = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const text = (await vscode.workspace.openTextDocument(defaults)).getText();
    const used = [...text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)].map(([, key, command]) => ({
      key,
      command,
    }));
    assert.ok(used.length > 500, `only ${used.length} default key bindings were found`);
    const everywhere = ours.filter(({ when }) => !when?.includes(`resourceScheme == ${PROPOSAL_SCHEME}`));
    const taken = used.filter(({ key, command }) =>
      everywhere.some((one) => one.key === key && one.command !== command),
    );
    assert.deepEqual(taken, []);
  });
});
