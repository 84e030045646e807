import type { QueuedMessage } from '../../src/protocol/chatState';
import { focusComposer } from '../ui/focus';
import { countWords } from '../ui/words';
import { Icon } from '../ui/Icon';
import { IconButton } from '../ui/IconButton';
import { useChat, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';

/** Messages that the agent has not read yet: each can be changed or taken back until then. */
export function QueuedMessages() {
  const queued = useChat((state) => state.queued);
  const { run, view } = usePanel();
  if (queued.length === 0) return null;
  const edit = async ({ id }: QueuedMessage) => {
    const message = await run.withdraw(id);
    if (!message) return;
    view.giveBack(message.text, message.items);
    focusComposer();
  };
  const withdraw = async ({ id }: QueuedMessage) => {
    if (await run.withdraw(id)) focusComposer();
  };
  return (
    <section class="queued" aria-label="Queued messages">
      <ul>
        {queued.map((message) => (
          <li key={message.id} class="strip" title="The agent reads it with its next step">
            <Icon name="clock" />
            <span class="strip-text" dir="auto">
              {wordsOf(message)}
            </span>
            <IconButton icon="edit" label="Edit queued message" onClick={() => void edit(message)} />
            <IconButton icon="close" label="Withdraw queued message" onClick={() => void withdraw(message)} />
          </li>
        ))}
      </ul>
      <Button kind="quiet" title="Interrupts what the agent does now" onClick={() => run.sendNow()}>
        Send now
      </Button>
    </section>
  );
}

function wordsOf({ text, items }: QueuedMessage): string {
  const along = items.length === 0 ? '' : `with ${countWords(items.length, 'item')}`;
  return [text, along].filter((part) => part !== '').join(' · ');
}
