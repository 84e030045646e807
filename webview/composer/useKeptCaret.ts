import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Keeps the caret where it is in what is being typed when something is put in front of that. */
export function useKeptCaret({ current: box }: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const before = box && { text: box.value, start: box.selectionStart, end: box.selectionEnd };
  useLayoutEffect(() => {
    if (!before || before.text === '' || before.text === text || !text.endsWith(before.text.slice(before.start)))
      return;
    const moved = text.length - before.text.length;
    box.setSelectionRange(before.start + moved, before.end + moved);
  });
}
