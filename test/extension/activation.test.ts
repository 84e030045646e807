import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, VIEW_CHAT } from '../../src/host/contributionPoints';

const extension = () => vscode.extensions.getExtension('cairn-agents.cairn');

describe('the extension', () => {
  it('sleeps until something of it is used', () => {
    assert.equal(extension()?.isActive, false);
  });

  it('wakes without an error and registers every command', async () => {
    await extension()?.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.values(COMMANDS).filter((id) => !known.has(id)),
      [],
    );
  });

  it('opens its view', async () => {
    await vscode.commands.executeCommand(COMMANDS.openChat);
    const known = await vscode.commands.getCommands(true);
    assert.ok(known.includes(`${VIEW_CHAT}.focus`));
  });

  it('has nothing to accept and nothing to stop while nothing runs, and says nothing about it', async () => {
    await vscode.commands.executeCommand(COMMANDS.approve);
    await vscode.commands.executeCommand(COMMANDS.reject);
    await vscode.commands.executeCommand(COMMANDS.stopRun);
  });
});
