import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import { EARLY_BOX } from '../../src/protocol/panelDocument';
import { sameItem } from '../../src/protocol/messageItem';
import { readSlashText } from '../../src/protocol/slashCommands';
import { isMac } from '../transcript/ask/ApprovalBar';
import { Icon, IconButton } from '../ui/Icon';
import { composerBox, focusComposer, WRITE_TO_AGENT, writeIntoComposer } from '../ui/focus';
import { useChat, useDraft, useItems, usePanel } from '../ui/panelContext';
import { Choices } from './Choices';
import { ItemChips } from './ItemChips';
import { MessageBox } from './MessageBox';
import { SetupChips } from './SetupChips';

/**
 * The message box. The session of an agent started by another one is read-only until the user asks to write to it: it works for
 * that agent, which would not know about the message. `sent` is called for each message that was sent.
 */
export function Writing({ sent }: { sent: () => void }) {
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
  return isReadOnly ? <ReadOnlyStrip write={() => setWritten(sessionId)} /> : <Composer sent={sent} />;
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

/** The composer. While the agent works, the button stops it, or sends if there is something to send. */
function Composer({ sent }: { sent: () => void }) {
  const { attach } = usePanel();
  const [text, setText] = useDraft('message');
  // Runs after subscribing to the draft, so that the text taken over is rendered.
  useLayoutEffect(() => takeEarlyText(composerBox(), setText), []);
  const items = useItems();
  const send = useSend(sent);
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
        <span class="send-place" onMouseDown={pressInMessage}>
          {isRunning && isEmpty ? (
            <StopButton />
          ) : (
            <SendButton isRunning={isRunning} isEmpty={isEmpty} send={() => void send()} />
          )}
        </span>
      </div>
    </div>
  );
}

/** A press on Send focuses the message, not the button: that is replaced or disabled next, also between the halves of a double click. */
function pressInMessage(event: MouseEvent): void {
  event.preventDefault();
  focusComposer();
}

/** Opens the list of attachable items, as typing `@` does. */
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

/** Returns a function that sends the draft with its items, or runs the command it contains. */
function useSend(sent: () => void): () => Promise<void> {
  const { run, view, editor, setup, failures, attach, chat } = usePanel();
  return async () => {
    const typed = view.draft('message');
    // Text that starts with a space is not a command and must not become one.
    const message = /^\s+\//.test(typed) ? ` ${typed.trim()}` : typed.trim();
    const items = view.items;
    if (message === '' && items.length === 0) return;
    const slash = readSlashText(typed);
    // The user may keep typing during the lookup.
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
    const shown = await chat.shown();
    const pinned = shown?.setup.pinned ?? [];
    const others = items.filter((item) => !pinned.some((one) => sameItem(one, item)));
    if (shown && (await run.send(message, [...pinned, ...others]))) sent();
    else view.giveBack(typed, items);
  };
}

/** Replaces the Send button, so the second half of a double click on that must not stop the new run. */
function StopButton() {
  const { run } = usePanel();
  const stop = (event: MouseEvent) => event.detail <= 1 && run.cancel();
  const title = isMac ? t('Stop (⌘K ⇧⌘.)') : t('Stop (Ctrl+K Ctrl+Shift+.)');
  return (
    <button type="button" class="send stop" aria-label={t('Stop')} title={title} onClick={stop}>
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
 * Takes over what the user typed before the panel's code loaded, with the cursor, and removes the placeholder box. Does nothing
 * if there is none, as when the panel is rendered again.
 */
function takeEarlyText(box: HTMLTextAreaElement | null, setText: (text: string) => void): void {
  const early = document.querySelector<HTMLTextAreaElement>(`textarea[data-role=${EARLY_BOX}]`);
  if (!early) return;
  const { value, selectionStart, selectionEnd, selectionDirection } = early;
  // Set before the text is rendered again, so that the cursor stays in place.
  if (box) box.value = value;
  box?.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  setText(value);
  document.querySelector('[data-role=early]')?.remove();
}
