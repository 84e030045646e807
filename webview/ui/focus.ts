import type { OpenParts } from '../store/openParts';

/** The element that has the focus, looked up through the toolkit's shadow roots. */
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

/** Writes a text into the message box with the caret in this place, at once: what is typed next comes behind it. */
export function writeIntoComposer(words: string, caret: number): void {
  const box = composerBox();
  if (!box) return;
  box.value = words;
  box.setSelectionRange(caret, caret);
}

/** On the element that is pressed to write to an agent which another one started: until then there is no message box. */
export const WRITE_TO_AGENT = 'write-to-agent';

export function focusComposer(): void {
  (composerBox() ?? document.querySelector<HTMLElement>(`[data-role=${WRITE_TO_AGENT}]`))?.focus();
}

let waiting: AbortController | undefined;

/**
 * Does it once the document has the focus. The host asks for it after it has shown the panel, but what it says may come late:
 * a list of the editor that was opened meanwhile would be closed, and what is typed there would land in the message.
 */
export function onceFocused(act: () => void): void {
  waiting?.abort();
  if (document.hasFocus()) return act();
  waiting = new AbortController();
  const { signal } = waiting;
  window.addEventListener('focus', act, { once: true, signal });
  // Who presses something in the panel means that.
  window.addEventListener('pointerdown', () => waiting?.abort(), { once: true, signal, capture: true });
}

/** Closes the list of sessions when it lies over the chat, and puts the focus into the composer. */
export function backToComposer(parts: OpenParts): void {
  if (parts.current !== 'sessions') return onceFocused(focusComposer);
  parts.close();
  // The composer is hidden until the list is gone.
  requestAnimationFrame(() => onceFocused(focusComposer));
}

/** The person asked to be brought here: into the box for the answer where there is one, else to the entry, never onto a button. */
export function focusAnswer(article: HTMLElement): void {
  const box = article.querySelector<HTMLElement>('vscode-text-field[data-primary], input[data-primary]');
  (box ?? article).focus({ preventScroll: true });
}
