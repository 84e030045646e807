import { useLayoutEffect, useRef } from 'preact/hooks';
import { approvalModeWords } from '../../words';
import { Icon } from '../Icon';
import { useChat, useDraft, usePanel } from '../panelContext';

/** Where the person writes. While the agent works, the button stops it, or sends when there is text. */
export function Composer() {
  const { run, view } = usePanel();
  const [text, setText] = useDraft('message');
  const isRunning = useChat((state) => state.run !== null);
  const isEmpty = text.trim() === '';
  const send = async () => {
    const message = view.draft('message').trim();
    if (message === '') return;
    setText('');
    // What could not be sent is given back, unless something new is being typed.
    if (!(await run.send(message)) && view.draft('message') === '') setText(message);
  };
  return (
    <div class="composer">
      <MessageBox text={text} setText={setText} send={() => void send()} isRunning={isRunning} />
      <div class="composer-row">
        <Choices />
        {isRunning && isEmpty ? (
          <button type="button" class="send stop" aria-label="Stop" title="Stop" onClick={() => run.cancel()}>
            <Icon name="stop" />
          </button>
        ) : (
          <SendButton isRunning={isRunning} isEmpty={isEmpty} send={() => void send()} />
        )}
      </div>
    </div>
  );
}

function SendButton({ isRunning, isEmpty, send }: { isRunning: boolean; isEmpty: boolean; send: () => void }) {
  const title = isRunning ? 'Send to the agent while it works (Enter)' : 'Send (Enter)';
  return (
    <button type="button" class="send" aria-label="Send" title={title} disabled={isEmpty} onClick={send}>
      <Icon name="send" />
    </button>
  );
}

interface MessageBoxProps {
  text: string;
  setText: (text: string) => void;
  send: () => void;
  isRunning: boolean;
}

function MessageBox({ text, setText, send, isRunning }: MessageBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.isComposing) return;
    // With Ctrl it answers what waits; that is for the panel's keys.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    send();
  };
  return (
    <textarea
      ref={box}
      data-role="message"
      aria-label="Message"
      dir="auto"
      rows={1}
      placeholder={isRunning ? 'Add something while it works' : 'Ask, or say what to change'}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function Choices() {
  const { editor } = usePanel();
  const model = useChat((state) => state.model);
  const mode = approvalModeWords(useChat((state) => state.approvalMode));
  return (
    <>
      <button
        type="button"
        class="choice"
        data-role="model"
        title={`Model: ${model.id}`}
        aria-label={`Model: ${model.label}`}
        onClick={() => editor.runCommand('chooseModel')}
      >
        <span class="choice-label">{model.label}</span>
        <Icon name="chevron-down" />
      </button>
      <button
        type="button"
        class="choice"
        data-role="approval-mode"
        title={`Approvals: ${mode.full}`}
        aria-label={`Approvals: ${mode.full}`}
        onClick={() => editor.runCommand('chooseApprovalMode')}
      >
        <span class="choice-label when-wide">{mode.full}</span>
        <span class="choice-label when-narrow">{mode.short}</span>
        <Icon name="chevron-down" />
      </button>
      <span class="spring" />
    </>
  );
}
