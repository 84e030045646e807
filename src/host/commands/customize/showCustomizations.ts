import * as vscode from 'vscode';
import { VIEW_CUSTOMIZATIONS } from '../../contributionPoints';
import type { Command } from '../command';

/** Shows the tree of agents, skills and roles. */
export function showCustomizations(): Command {
  return {
    async run() {
      await vscode.commands.executeCommand(`${VIEW_CUSTOMIZATIONS}.focus`);
    },
  };
}
