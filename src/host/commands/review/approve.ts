import * as vscode from 'vscode';
import { approvalIdOf } from '../../editor/proposal';
import type { Host } from '../../host';
import type { Command } from '../command';

/** Accepts the proposal of the diff it is pressed in, else what waits longest in the chat shown. */
export function approve(host: Host): Command {
  return {
    name: 'approve',
    async run(argument) {
      const id = await waitingApproval(host, argument);
      if (id !== undefined) host.approvals.answer(id, { kind: 'once' });
    },
  };
}

export async function waitingApproval({ currentChat }: Host, argument: unknown): Promise<string | undefined> {
  const ofDiff = argument instanceof vscode.Uri ? approvalIdOf(argument) : undefined;
  if (ofDiff !== undefined) return ofDiff;
  const chat = await currentChat();
  return chat.state.approvals[0]?.approvalId;
}
