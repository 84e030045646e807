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

export function focusComposer(): void {
  composerBox()?.focus();
}

/** Closes the list of sessions when it lies over the chat, and puts the focus into the composer. */
export function backToComposer(parts: OpenParts): void {
  if (parts.current !== 'sessions') return focusComposer();
  parts.close();
  // The composer is hidden until the list is gone.
  requestAnimationFrame(focusComposer);
}

/** The person asked to be brought here: into the box for the answer where there is one, else to the entry, never onto a button. */
export function focusAnswer(article: HTMLElement): void {
  const box = article.querySelector<HTMLElement>('vscode-text-field[data-primary], input[data-primary]');
  (box ?? article).focus({ preventScroll: true });
}
