import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import { EARLY_BOX } from '../../src/protocol/panelDocument';
import { sameItem } from '../../src/protocol/messageItem';
import { readSlashText } from '../../src/protocol/slashCommands';
import { Icon, IconButton } from '../ui/Icon';
import { composerBox, focusComposer, WRITE_TO_AGENT, writeIntoComposer } from '../ui/focus';
import { useChat, useDraft, useItems, usePanel } from '../ui/panelContext';
import { Choices } from './Choices';
import { ItemChips } from './ItemChips';
import { MessageBox } from './MessageBox';
import { SetupChips } from './SetupChips';

/**
 * The message box. What an agent does that another one started is only read until the person asks to write to it: it works for
 * that one, which would not know of their words.
 */
export function Writing() {
  const parent = useChat((state) => state.setup.parent);
  const sessionId = useChat((state) => state.sessionId);
  const [written, setWritten] = useState<string | null>(null);
  const [text] = useDraft('message');
  const items = useItems();
  const isBegun = text !== '' || items.length > 0;
  useLayoutEffect(() => {
    if (isBegun) setWritten(sessionId);
  }, [sessionId, isBegun]);
  const isReadOnly = parent !== null && written !== sessionId && !isBegun;
  return isReadOnly ? <ReadOnlyStrip write={() => setWritten(sessionId)} /> : <Composer />;
}

function ReadOnlyStrip({ write }: { write: () => void }) {
  const { run } = usePanel();
  const [, setText] = useDraft('message');
  useLayoutEffect(() => takeEarlyText(null, setText), []);
  const agent = useChat((state) => state.setup.agent);
  const isRunning = useChat((state) => state.run !== null);
  return (
    <div class="strip">
      <Icon name="eye" />
      <span class="strip-text">{t('Transcript of {0}', safeLine(agent, 100, 'exact'))}</span>
      <button type="button" class="text-button" data-role={WRITE_TO_AGENT} onClick={write}>
        {t('Write to {0}', safeLine(agent, 100, 'exact'))}
      </button>
      {isRunning && <IconButton icon="stop" label={t('Stop')} onClick={() => run.cancel()} />}
    </div>
  );
}

/** Where the person writes. While the agent works, the button stops it, or sends when there is something to send. */
function Composer() {
  const { attach } = usePanel();
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
      <div class="message-row">
        <MessageBox {...{ text, setText, pickPicture, isRunning }} send={() => void send()} />
        <IconButton
          icon="attach"
          label={t('Add context')}
          title={t('Add context (@)')}
          onClick={() => beginMention(setText)}
        />
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('Images')}
        onChange={(event) => {
          void attach.addFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
          focusComposer();
        }}
      />
      <SetupChips />
      <div class="composer-row">
        <Choices />
        {isRunning && isEmpty ? (
          <StopButton />
        ) : (
          <SendButton isRunning={isRunning} isEmpty={isEmpty} send={() => void send()} />
        )}
      </div>
    </div>
  );
}

/** Opens the list of what can go with a message, as `@` does where the person types. */
function beginMention(setText: (text: string) => void): void {
  const box = composerBox();
  if (!box) return;
  const before = box.value.slice(0, box.selectionStart);
  const sign = /(?:^|\s)@$/.test(before) ? '' : /(?:^|\s)$/.test(before) ? '@' : ' @';
  const words = before + sign + box.value.slice(box.selectionStart);
  writeIntoComposer(words, before.length + sign.length);
  box.focus();
  setText(words);
}

/** Sends what is typed with what goes with it, or runs the command that it is. */
function useSend(): () => Promise<void> {
  const { run, view, editor, setup, failures, attach, chat } = usePanel();
  return async () => {
    const typed = view.draft('message');
    // What begins with a space is no command, and does not become one.
    const message = /^\s+\//.test(typed) ? ` ${typed.trim()}` : typed.trim();
    const items = view.items;
    if (message === '' && items.length === 0) return;
    const slash = readSlashText(typed);
    // Somebody may type on while it is looked up.
    view.setDraft('message', '');
    if (slash.kind === 'unknown' && !(await attach.knowsCommand(slash.name))) {
      view.giveBack(typed, []);
      const words = slash.isKnown
        ? t('/{0} takes no arguments', slash.name)
        : t('There is no command /{0}', slash.name);
      failures.add(words, t('Type / to see the commands, or put a space before it to send it as it is.'));
      return;
    }
    if (slash.kind === 'command') {
      editor.runCommand(slash.command.command);
      return;
    }
    if (slash.kind === 'choice') {
      if (!(await setup.choose(slash.takes, slash.name))) view.giveBack(typed, []);
      return;
    }
    const [, prompt, words = ''] = /^\/([^\s:]+:\S+)(?:\s+([^]*))?$/.exec(message) ?? [];
    if (prompt !== undefined && (await attach.knowsPrompt(prompt))) {
      if (!(await attach.writePrompt(prompt, words))) view.giveBack(typed, []);
      return;
    }
    view.setItems([]);
    const pinned = chat.state?.setup.pinned ?? [];
    const others = items.filter((item) => !pinned.some((one) => sameItem(one, item)));
    if (!(await run.send(message, [...pinned, ...others]))) view.giveBack(typed, items);
  };
}

/** It stands where Send was: the second half of a double click on that does not stop what it began. */
function StopButton() {
  const { run } = usePanel();
  const stop = (event: MouseEvent) => event.detail <= 1 && run.cancel();
  return (
    <button type="button" class="send stop" aria-label={t('Stop')} title={t('Stop')} onClick={stop}>
      <Icon name="stop" />
    </button>
  );
}

function SendButton({ isRunning, isEmpty, send }: { isRunning: boolean; isEmpty: boolean; send: () => void }) {
  const title = isRunning ? t('Send to the agent while it works (Enter)') : t('Send (Enter)');
  return (
    <button type="button" class="send" aria-label={t('Send')} title={title} disabled={isEmpty} onClick={send}>
      <Icon name="send" />
    </button>
  );
}

/**
 * Goes on in the panel's message box where the person typed before it was there, and takes away the box that stood in for it.
 * Nothing where there is none, as in a panel that is drawn again.
 */
function takeEarlyText(box: HTMLTextAreaElement | null, setText: (text: string) => void): void {
  const early = document.querySelector<HTMLTextAreaElement>(`textarea[data-role=${EARLY_BOX}]`);
  if (!early) return;
  const { value, selectionStart, selectionEnd, selectionDirection } = early;
  // Before the text is drawn again, so that the caret stays where it is.
  if (box) box.value = value;
  box?.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  setText(value);
  document.querySelector('[data-role=early]')?.remove();
}
