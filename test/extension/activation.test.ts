import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId, VIEW_CHAT } from '../../src/host/contributionPoints';
import { COMMAND_NAMES } from '../../src/protocol/commands';
import { until } from '../editor/until';

const extension = () => vscode.extensions.getExtension('cairn-agents.cairn');

describe('The extension', () => {
  it('stays inactive until it is used', () => {
    assert.equal(extension()?.isActive, false);
  });

  it('activates without an error and registers every command', async () => {
    await extension()?.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      COMMAND_NAMES.map(commandId).filter((id) => !known.has(id)),
      [],
    );
  });

  it('opens its view', async () => {
    await vscode.commands.executeCommand(commandId('openChat'));
    const known = await vscode.commands.getCommands(true);
    assert.ok(known.includes(`${VIEW_CHAT}.focus`));
  });

  it('ignores accept, reject and stop without an error while nothing runs', async () => {
    await vscode.commands.executeCommand(commandId('approve'));
    await vscode.commands.executeCommand(commandId('reject'));
    await vscode.commands.executeCommand(commandId('stopRun'));
  });

  it('opens the audit log and the permission rules, and creates missing files', async () => {
    await vscode.commands.executeCommand(commandId('showAuditLog'));
    const document = () => vscode.window.activeTextEditor?.document;
    await until('the audit log', () => document()?.uri.path.endsWith('/audit.jsonl'));
    await vscode.commands.executeCommand(commandId('editPermissionRules'));
    await until('the permission rules', () => document()?.uri.path.endsWith('/permissions.json'));
    assert.deepEqual(JSON.parse(document()?.getText() ?? ''), { rules: [], workspaces: {} });
  });
});
