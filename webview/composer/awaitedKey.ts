import { useLayoutEffect, useState } from 'preact/hooks';

/** What is being completed, and its range in the text. */
export interface Completion {
  kind: 'context' | 'command';
  /** The text after the `@` or `/`. */
  query: string;
  start: number;
  end: number;
}

/** Enter or Tab, pressed before the results of the completion had arrived. The user may keep typing meanwhile. */
export interface AwaitedKey {
  completion: Completion;
  /** The text when the key was pressed. */
  text: string;
  isEnter: boolean;
}

interface Awaited {
  key: AwaitedKey | null;
  setKey: (key: AwaitedKey | null) => void;
}

/** Changing the completed text, or what is before it, takes the key back. */
export function useAwaitedKey(text: string): Awaited {
  const [key, setKey] = useState<AwaitedKey | null>(null);
  const isHeld = key !== null && text.startsWith(key.text.slice(0, key.completion.end));
  useLayoutEffect(() => {
    if (!isHeld) setKey(null);
  }, [isHeld]);
  return { key: isHeld ? key : null, setKey };
}

/** Calls `answer` as soon as the results are there. */
export function useAnswer({ key, setKey }: Awaited, isFound: boolean, answer: (key: AwaitedKey) => void): void {
  // Before the next key, which an effect after the paint would overwrite.
  useLayoutEffect(() => {
    if (!isFound || !key) return;
    setKey(null);
    answer(key);
  });
}
