import { type Disposable, onDispose } from '../../src/base/disposable';
import type { TranscriptFind } from '../find/transcriptFind';
import type { Panel } from '../panel';
import type { TranscriptList } from '../transcript/transcriptList';
import { composerBox, focusComposer, focusedElement, isTextBox } from '../ui/focus';
import { answerWaiting, focusedApproval } from './answerWaiting';

const MOVES = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'previous',
  PageDown: 'next',
  Home: 'first',
  End: 'last',
} as const;

/** Handles the keys that work wherever the focus is in the panel. */
export function listenForKeys(panel: Panel, transcript: TranscriptList, find: TranscriptFind): Disposable {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (
      findByKey(event, panel, find) ||
      answerByKey(event, panel, transcript) ||
      escape(event, panel) ||
      moveInFeed(event, transcript)
    )
      event.preventDefault();
    else typeOn(event);
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

function answerByKey(event: KeyboardEvent, panel: Panel, transcript: TranscriptList): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return false;
  const isReject = event.key === 'Backspace' && !isTyping();
  if (event.key !== 'Enter' && !isReject) return false;
  return !event.repeat && answerWaiting(isReject ? 'reject' : 'once', panel, transcript);
}

/** In a text box with text, Ctrl+Backspace deletes a word. */
function isTyping(): boolean {
  const focused = focusedElement();
  return isTextBox(focused) && focused.value !== '';
}

function escape(event: KeyboardEvent, { chat, view }: Panel): boolean {
  if (event.key !== 'Escape' || document.activeElement === composerBox()) return false;
  const approval = chat.state?.approvals.find(({ approvalId }) => approvalId === focusedApproval());
  for (const part of approval ? ['reason', 'always'] : []) {
    const name = `${part}:${approval?.approvalId}`;
    if (view.isOpen(name)) view.setOpen(name, false);
  }
  focusComposer();
  return true;
}

/** Sends letters typed where nothing accepts them to the message box. */
function typeOn(event: KeyboardEvent): void {
  const { key, target } = event;
  const isShortcut = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
  const isLetter = (key.trim() !== '' && Array.from(key).length === 1) || key === 'Dead';
  if (!isLetter || isShortcut || event.metaKey || isTextBox(focusedElement())) return;
  const isFree = target === document.body || (target instanceof Element && target.closest('.chat') !== null);
  if (isFree) focusComposer();
}

function moveInFeed(event: KeyboardEvent, transcript: TranscriptList): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !isMove(key)) return false;
  const focused = focusedElement();
  if (!(target instanceof Element) || isTextBox(focused) || isScrollable(focused)) return false;
  return transcript.focusEntry(target, MOVES[key]);
}

/** Whether the arrow keys scroll the element itself. */
function isScrollable(element: Element | null): boolean {
  return element?.getAttribute('role') === 'group' && element.scrollHeight > element.clientHeight;
}

function isMove(key: string): key is keyof typeof MOVES {
  return Object.hasOwn(MOVES, key);
}

/**
 * Keeps the keyboard usable: when the focused element is removed from the chat, focus moves to the next pending request, or else
 * to the message box; a window that gains focus without a focused element focuses the message box too. Nothing else moves the
 * focus automatically, and it never moves to a button.
 */
export function keepFocus(transcript: TranscriptList): Disposable {
  let last: { element: Element; wasInTranscript: boolean } | undefined;
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const onFocusIn = ({ target }: FocusEvent) => {
    const element = target instanceof Element && target.closest('.chat') ? target : undefined;
    last = element && { element, wasInTranscript: transcript.element.contains(element) };
  };
  const restore = () => {
    if (!last || last.element.isConnected || !isLost() || !document.hasFocus()) return;
    const { wasInTranscript } = last;
    last = undefined;
    if (!wasInTranscript || !transcript.goToWaiting()) focusComposer();
  };
  const onWindowFocus = () => isLost() && focusComposer();
  const changes = new MutationObserver(restore);
  changes.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocusIn);
  window.addEventListener('focus', onWindowFocus);
  return onDispose(() => {
    changes.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    window.removeEventListener('focus', onWindowFocus);
  });
}
