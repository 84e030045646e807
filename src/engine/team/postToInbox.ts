import type { InboxMessage } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';

/** Who is over, and how to reach it again; undefined of one that still works, or of nobody. */
export function overText(child: { id: string; isRunning: boolean; sessionId: string } | undefined): string | undefined {
  if (!child || child.isRunning) return undefined;
  return `${child.id} has ended and hears nothing. Start it again with session_id ${child.sessionId} to tell it more.`;
}

/** Puts a message into the inbox of that name. Throws ToolFailure with the names there are. */
export function postToInbox(to: string, inboxes: ReadonlyMap<string, InboxMessage[]>, message: InboxMessage): void {
  const inbox = inboxes.get(to);
  if (inbox) {
    inbox.push(message);
    return;
  }
  const names = [...inboxes.keys()].join(', ');
  throw new ToolFailure('bad-arguments', `Nobody here is called “${to}”.${names && ` There are: ${names}.`}`);
}
