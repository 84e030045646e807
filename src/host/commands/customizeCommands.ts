import * as vscode from 'vscode';
import type { ContentKind } from '../../engine';
import { VIEW_CUSTOMIZATIONS } from '../contributionPoints';
import type { Command, Host } from '../host';

/** Shows the tree of agents, skills and roles. */
export function showCustomizations(): Command {
  return {
    async run() {
      await vscode.commands.executeCommand(`${VIEW_CUSTOMIZATIONS}.focus`);
    },
  };
}

/** A command that makes a new agent, skill or role. */
export function newContent(kind: ContentKind): (host: Host) => Command {
  return ({ engine }) => ({
    async run() {
      const { writeNew } = await import('../customize/customizeParts');
      await writeNew(engine, kind);
    },
  });
}

/** Copies an agent, a skill or a role into the workspace, where it can be changed and wins. */
export function duplicateToWorkspace({ engine }: Host): Command {
  return {
    async run(argument) {
      const { duplicate } = await import('../customize/customizeParts');
      await duplicate(engine, argument);
    },
  };
}

/** Opens what an agent is told and which tools it has, without running it. */
export function showEffectivePrompt({ engine }: Host): Command {
  return {
    run: async (argument) => (await import('../customize/customizeParts')).showPrompt(engine, argument),
  };
}

/** Opens a new session that an agent answers in. */
export function startChat(host: Host): Command {
  return {
    run: async (argument) => (await import('../customize/customizeParts')).chatWith(host, argument),
  };
}
