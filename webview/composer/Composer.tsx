import { useLayoutEffect, useRef } from 'preact/hooks';
import { readSlashText } from '../../src/protocol/slashCommands';
import { composerBox, focusComposer } from '../ui/focus';
import { Icon } from '../ui/Icon';
import { useChat, useDraft, useItems, usePanel } from '../ui/panelContext';
import { Choices } from './Choices';
import { ItemChips } from './ItemChips';
import { MessageBox } from './MessageBox';
import { SetupChips } from './SetupChips';
import { takeEarlyText } from './takeEarlyText';

/** Where the person writes. While the agent works, the button stops it, or sends when there is something to send. */
export function Composer() {
  const { run, attach } = usePanel();
  const [text, setText] = useDraft('message');
  // After the draft is followed, so that the box is drawn with what is taken over.
  useLayoutEffect(() => takeEarlyText(composerBox(), setText), []);
  const items = useItems();
  const send = useSend();
  const picker = useRef<HTMLInputElement>(null);
  const isRunning = useChat((state) => state.run !== null);
  const isEmpty = text.trim() === '' && items.length === 0;
  const pickPicture = () => picker.current?.click();
  return (
    <div class="composer">
      <ItemChips />
      <MessageBox {...{ text, setText, pickPicture, isRunning }} send={() => void send()} />
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Pictures"
        onChange={(event) => {
          void attach.addFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
          focusComposer();
        }}
      />
      <SetupChips />
      <div class="composer-row">
        <Choices />
        {/* It stands where Send was: the second half of a double click on that does not stop what it began. */}
        {isRunning && isEmpty ? (
          <button
            type="button"
            class="send stop"
            aria-label="Stop"
            title="Stop"
            onClick={(event) => event.detail <= 1 && run.cancel()}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <SendButton isRunning={isRunning} isEmpty={isEmpty} send={() => void send()} />
        )}
      </div>
    </div>
  );
}

/** Sends what is typed with what goes with it, or runs the command that it is. */
function useSend(): () => Promise<void> {
  const { run, view, editor, setup, failures } = usePanel();
  return async () => {
    const typed = view.draft('message');
    const message = typed.trim();
    const items = view.items;
    if (message === '' && items.length === 0) return;
    const slash = readSlashText(typed);
    if (slash.kind === 'unknown') {
      const words = slash.isKnown ? `/${slash.name} takes no words after it` : `There is no command /${slash.name}`;
      failures.add(words, 'Type / to see the commands, or put a space before it to send it as it is.');
      return;
    }
    view.setDraft('message', '');
    if (slash.kind === 'command') {
      editor.runCommand(slash.command.command);
      return;
    }
    if (slash.kind === 'choice') {
      if (!(await setup.choose(slash.takes, slash.name))) view.giveBack(typed, []);
      return;
    }
    view.setItems([]);
    if (!(await run.send(message, items))) view.giveBack(typed, items);
  };
}

function SendButton({ isRunning, isEmpty, send }: { isRunning: boolean; isEmpty: boolean; send: () => void }) {
  const title = isRunning ? 'Send to the agent while it works (Enter)' : 'Send (Enter)';
  return (
    <button type="button" class="send" aria-label="Send" title={title} disabled={isEmpty} onClick={send}>
      <Icon name="send" />
    </button>
  );
}
