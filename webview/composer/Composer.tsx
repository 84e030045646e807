import { useLayoutEffect, useRef } from 'preact/hooks';
import { safeLine } from '../../src/base/shown/safeText';
import { EARLY_BOX } from '../../src/protocol/earlyBox';
import type { MessageItem } from '../../src/protocol/messageItem';
import { readSlashText } from '../../src/protocol/slashCommands';
import { Icon, IconButton, RemoveButton } from '../ui/Icon';
import { itemIcon, Note } from '../ui/SentItems';
import { composerBox, focusComposer, writeIntoComposer } from '../ui/focus';
import { useChat, useDraft, useItems, useNearby, usePanel } from '../ui/panelContext';
import { Choices } from './Choices';
import { MessageBox } from './MessageBox';
import { SetupChips } from './SetupChips';

/** Where the person writes. While the agent works, the button stops it, or sends when there is something to send. */
export function Composer() {
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
      <div class="chip-row">
        <ItemChips />
        <NearbyChip />
      </div>
      <div class="message-row">
        <MessageBox {...{ text, setText, pickPicture, isRunning }} send={() => void send()} />
        <IconButton icon="attach" label="Add context" title="Add context (@)" onClick={() => beginMention(setText)} />
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Images"
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
  const { run, view, editor, setup, failures, attach } = usePanel();
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
      const words = slash.isKnown ? `/${slash.name} takes no arguments` : `There is no command /${slash.name}`;
      failures.add(words, 'Type / to see the commands, or put a space before it to send it as it is.');
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
    if (!(await run.send(message, items))) view.giveBack(typed, items);
  };
}

/** It stands where Send was: the second half of a double click on that does not stop what it began. */
function StopButton() {
  const { run } = usePanel();
  const stop = (event: MouseEvent) => event.detail <= 1 && run.cancel();
  return (
    <button type="button" class="send stop" aria-label="Stop" title="Stop" onClick={stop}>
      <Icon name="stop" />
    </button>
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

/** What will go with the message, each of it with a way to take it out. */
function ItemChips() {
  const items = useItems();
  const { attach } = usePanel();
  if (items.length === 0) return null;
  const remove = (item: MessageItem) => {
    attach.remove(item);
    focusComposer();
  };
  return (
    <ul class="chips" aria-label="Attachments">
      {items.map((item) => (
        <Chip key={keyOf(item)} item={item} remove={() => remove(item)} />
      ))}
    </ul>
  );
}

/** What the person looks at in the editor: a click sends it along, and nothing else does. */
function NearbyChip() {
  const { attach } = usePanel();
  const item = useNearby();
  if (!item) return null;
  const add = () => {
    attach.add([item]);
    focusComposer();
  };
  const label = safeLine(item.label, 200, 'exact');
  return (
    <button type="button" class="chip nearby" aria-label={`Add ${label}`} title={`Add ${titleOf(item)}`} onClick={add}>
      <Icon name="add" />
      <span class="chip-label">{label}</span>
    </button>
  );
}

function Chip({ item, remove }: { item: MessageItem; remove: () => void }) {
  const note = item.kind === 'image' ? undefined : item.note;
  return (
    <li class="chip" title={titleOf(item)}>
      {item.kind === 'image' ? <img src={item.thumbnail} alt="" /> : <Icon name={itemIcon(item.kind)} />}
      <span class="chip-label">{safeLine(item.label, 200, 'exact')}</span>
      {note !== undefined && <Note text={note} />}
      <RemoveButton label={`Remove ${safeLine(item.label, 200, 'exact')}`} remove={remove} />
    </li>
  );
}

function titleOf(item: MessageItem): string {
  const label = safeLine(item.label, 1000, 'exact');
  if (item.kind === 'image') return label;
  const lines = item.lines ? `, lines ${item.lines.first}–${item.lines.last}` : '';
  const place = item.target === '' ? label : `${safeLine(item.target, 1000, 'exact')}${lines}`;
  const server = item.server === undefined ? '' : `\nof the MCP server ${safeLine(item.server, 200, 'exact')}`;
  return `${place}${server}${item.note === undefined ? '' : `\n${item.note}`}`;
}

function keyOf(item: MessageItem): string {
  if (item.kind === 'image') return `image ${item.label} ${item.data.length}`;
  return `${item.kind} ${item.server ?? ''} ${item.target} ${item.lines?.first ?? ''}-${item.lines?.last ?? ''}`;
}

/**
 * Goes on in the panel's message box where the person typed before it was there, and takes away the box that stood in for it.
 * Nothing where there is none, as in a panel that is drawn again.
 */
function takeEarlyText(box: HTMLTextAreaElement | null, setText: (text: string) => void): void {
  const early = document.querySelector<HTMLTextAreaElement>(`textarea[data-role=${EARLY_BOX}]`);
  if (!early || !box) return;
  const { value, selectionStart, selectionEnd, selectionDirection } = early;
  // Before the text is drawn again, so that the caret stays where it is.
  box.value = value;
  box.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  setText(value);
  document.querySelector('[data-role=early]')?.remove();
}
