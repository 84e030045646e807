import * as vscode from 'vscode';
import type { ContentKind } from '../../engine';
import { VIEW_CUSTOMIZATIONS } from '../contributionPoints';
import type { Command, Host } from '../host';

/** Shows the tree of agents, skills, and roles. */
export function showCustomizations(): Command {
  return {
    async run() {
      await vscode.commands.executeCommand(`${VIEW_CUSTOMIZATIONS}.focus`);
    },
  };
}

/** Builds the command that creates an agent, skill, or role. */
export function newContent(kind: ContentKind): (host: Host) => Command {
  return ({ engine }) => ({
    async run() {
      const { writeNew } = await import('../customize/customizeParts');
      await writeNew(engine, kind);
    },
  });
}

/** Creates a graph agent from a template. */
export function newGraph({ engine }: Host): Command {
  return {
    run: async () => (await import('../customize/customizeParts')).writeNewGraph(engine),
  };
}

/** Copies an agent, skill, or role to the workspace, where it can be changed and takes precedence. */
export function duplicateToWorkspace({ engine }: Host): Command {
  return {
    async run(argument) {
      const { duplicate } = await import('../customize/customizeParts');
      await duplicate(engine, argument);
    },
  };
}

/** Shows an agent's prompt and tools without running it. */
export function showEffectivePrompt({ engine }: Host): Command {
  return {
    run: async (argument) => (await import('../customize/customizeParts')).showPrompt(engine, argument),
  };
}

/** Opens a new session answered by an agent. */
export function startChat(host: Host): Command {
  return {
    run: async (argument) => (await import('../customize/customizeParts')).chatWith(host, argument),
  };
}
