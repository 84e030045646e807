import type { InboxMessage } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';

/** Explains how to reach a child that has ended; undefined if it is still running or does not exist. */
export function overText(child: { id: string; isRunning: boolean; sessionId: string } | undefined): string | undefined {
  if (!child || child.isRunning) return undefined;
  return `${child.id} has ended and hears nothing. Start it again with session_id ${child.sessionId} to tell it more.`;
}

/** Adds a message to the inbox of that name. Throws ToolFailure, which lists the existing names. */
export function postToInbox(to: string, inboxes: ReadonlyMap<string, InboxMessage[]>, message: InboxMessage): void {
  const inbox = inboxes.get(to);
  if (inbox) {
    inbox.push(message);
    return;
  }
  const names = [...inboxes.keys()].join(', ');
  throw new ToolFailure('bad-arguments', `Nobody here is called “${to}”.${names && ` There are: ${names}.`}`);
}
