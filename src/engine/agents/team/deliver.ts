import type { InboxMessage } from '../../tools/team/teamDesk';
import { ToolFailure } from '../../tools/toolFailure';

/** Puts a message into the inbox of that name. Throws ToolFailure with the names there are. */
export function deliver(to: string, inboxes: ReadonlyMap<string, InboxMessage[]>, message: InboxMessage): void {
  const inbox = inboxes.get(to);
  if (inbox) {
    inbox.push(message);
    return;
  }
  const names = [...inboxes.keys()].join(', ');
  throw new ToolFailure('bad-arguments', `Nobody here is called “${to}”.${names && ` There are: ${names}.`}`);
}
