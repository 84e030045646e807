import type { OpenParts } from '../store/openParts';
import { onceFrameKeepsFocus } from './editorFrame';

/** Returns the focused element, looking through the toolkit's shadow roots. */
export function focusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

export function isTextBox(element: Element | null): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text');
}

export function composerBox(): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>('textarea[data-role=message]');
}

/** Sets the text of the message box and its cursor immediately, so that what is typed next follows it. */
export function writeIntoComposer(words: string, caret: number): void {
  const box = composerBox();
  if (!box) return;
  box.value = words;
  box.setSelectionRange(caret, caret);
}

/** Marks the button that lets the user write to a started agent: until it is clicked there is no message box. */
export const WRITE_TO_AGENT = 'write-to-agent';

export function focusComposer(): void {
  (composerBox() ?? document.querySelector<HTMLElement>(`[data-role=${WRITE_TO_AGENT}]`))?.focus();
}

let waiting: AbortController | undefined;

/**
 * Calls `act` once the document has focus. The host requests it after revealing the panel, but its message may arrive late:
 * taking focus then would close a list opened in the editor in the meantime, and what is typed there would end up in the message.
 */
export function onceFocused(act: () => void): void {
  waiting?.abort();
  if (document.hasFocus()) return act();
  waiting = new AbortController();
  const { signal } = waiting;
  const end = () => waiting?.abort();
  const focused = () => {
    end();
    act();
  };
  window.addEventListener('focus', focused, { once: true, signal });
  onceFrameKeepsFocus(focused, signal);
  // A click in the panel takes precedence.
  window.addEventListener('pointerdown', end, { once: true, signal, capture: true });
}

/** Closes the list of sessions if it covers the chat, and focuses the composer. */
export function backToComposer(parts: OpenParts): void {
  if (parts.current !== 'sessions') return onceFocused(focusComposer);
  parts.close();
  // The composer is hidden until the list is gone: it is drawn before this runs, and no key can come in between.
  queueMicrotask(() => onceFocused(focusComposer));
}

/**
 * Called when the user asked to be brought here: focuses the text box for the answer if there is one, otherwise the entry, but
 * never a button.
 */
export function focusAnswer(article: HTMLElement): void {
  const box = article.querySelector<HTMLElement>('vscode-text-field[data-primary], input[data-primary]');
  (box ?? article).focus({ preventScroll: true });
}
