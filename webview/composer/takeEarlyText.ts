import { EARLY_BOX } from '../../src/protocol/earlyBox';

/**
 * Goes on in the panel's message box where the person typed before it was there, and takes away the box that stood in for it.
 * Nothing where there is none, as in a panel that is drawn again.
 */
export function takeEarlyText(box: HTMLTextAreaElement | null, setText: (text: string) => void): void {
  const early = document.querySelector<HTMLTextAreaElement>(`textarea[data-role=${EARLY_BOX}]`);
  if (!early || !box) return;
  const { value, selectionStart, selectionEnd, selectionDirection } = early;
  // Before the text is drawn again, so that the caret stays where it is.
  box.value = value;
  box.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  setText(value);
  document.querySelector('[data-role=early]')?.remove();
}
