import { type Disposable, onDispose } from '../../src/base/disposable';
import type { TranscriptFind } from '../find/transcriptFind';
import { composerBox, focusComposer, focusedElement, isTextBox } from '../focus';
import type { Panel } from '../panel';
import { firstWaiting } from '../store/selectors';
import type { TranscriptList } from '../transcript/transcriptList';

const MOVES = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'previous',
  PageDown: 'next',
  Home: 'first',
  End: 'last',
} as const;

/** The keys that work wherever the focus is in the panel. */
export function listenForKeys(panel: Panel, transcript: TranscriptList, find: TranscriptFind): Disposable {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (
      findByKey(event, panel, find) ||
      answerByKey(event, panel) ||
      escape(event, panel) ||
      moveInFeed(event, transcript)
    )
      event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return onDispose(() => document.removeEventListener('keydown', onKey));
}

function findByKey(event: KeyboardEvent, { parts, chat }: Panel, find: TranscriptFind): boolean {
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f') {
    if (!chat.state || chat.state.entries.length === 0) return false;
    parts.show('find');
    return true;
  }
  if (event.key !== 'F3' || parts.current !== 'find') return false;
  find.go(event.shiftKey ? 'previous' : 'next');
  return true;
}

function answerByKey(event: KeyboardEvent, { chat, approvals }: Panel): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !chat.state) return false;
  const approvalId = focusedApproval() ?? waitingApproval(chat.state);
  if (approvalId === undefined) return false;
  if (event.key === 'Enter') {
    void approvals.answer(approvalId, { kind: 'once' });
    return true;
  }
  if (event.key !== 'Backspace' || isTyping()) return false;
  void approvals.answer(approvalId, { kind: 'reject' });
  return true;
}

/** The one that holds the focus comes before the oldest. */
function focusedApproval(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-approval-id]')?.dataset['approvalId'];
}

function waitingApproval(state: NonNullable<Panel['chat']['state']>): string | undefined {
  const waiting = firstWaiting(state);
  return waiting?.kind === 'approval' ? waiting.id : undefined;
}

/** In a text box with text, Ctrl+Backspace deletes a word. */
function isTyping(): boolean {
  const focused = focusedElement();
  return isTextBox(focused) && focused.value !== '';
}

function escape(event: KeyboardEvent, { chat, view }: Panel): boolean {
  if (event.key !== 'Escape' || document.activeElement === composerBox()) return false;
  const approval = chat.state?.approvals.find(({ approvalId }) => approvalId === focusedApproval());
  if (approval && view.isOpen(`reason:${approval.approvalId}`)) view.setOpen(`reason:${approval.approvalId}`, false);
  focusComposer();
  return true;
}

function moveInFeed(event: KeyboardEvent, transcript: TranscriptList): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !isMove(key)) return false;
  const focused = focusedElement();
  if (!(target instanceof Element) || isTextBox(focused) || isScrollable(focused)) return false;
  return transcript.focusEntry(target, MOVES[key]);
}

/** Arrows scroll what scrolls by itself. */
function isScrollable(element: Element | null): boolean {
  return element?.getAttribute('role') === 'group' && element.scrollHeight > element.clientHeight;
}

function isMove(key: string): key is keyof typeof MOVES {
  return Object.hasOwn(MOVES, key);
}
