import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { messageHint, NARROW_PANEL } from '../../src/protocol/panelDocument';
import type { AttachActions } from '../actions/attachActions';
import { useItems, usePanel } from '../ui/panelContext';
import { CompletionList, LIST_ID, optionId } from './CompletionList';
import { type CompletionState, useCompletion } from './useCompletion';

interface MessageBoxProps {
  text: string;
  setText: (text: string) => void;
  send: () => void;
  pickPicture: () => void;
  isRunning: boolean;
}

/** The text box, with the list of completions above it. */
export function MessageBox({ text, setText, send, pickPicture, isRunning }: MessageBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const { attach } = usePanel();
  useKeptCaret(box, text);
  const isNarrow = useIsNarrow();
  const recall = useRecall(text, setText);
  const items = useItems();
  const completion = useCompletion({ text, caret: Math.min(caret, text.length), setCaret, setText, pickPicture, send });
  useFirstFocus(box);
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = items.at(-1);
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (completion?.onKey(event) || (!event.shiftKey && recall(event.key))) event.preventDefault();
    else if (event.key === 'Backspace' && last && selectionStart === 0 && selectionEnd === 0) attach.remove(last);
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const follow = (event: { currentTarget: HTMLTextAreaElement }) => setCaret(event.currentTarget.selectionStart);
  return (
    <>
      {completion && <CompletionList {...completion} />}
      <textarea
        ref={box}
        data-role="message"
        aria-label={t('Message')}
        dir="auto"
        rows={1}
        placeholder={isRunning ? t('Add a follow-up…') : messageHint(isNarrow)}
        value={text}
        onInput={(event) => {
          follow(event);
          setText(event.currentTarget.value);
        }}
        onKeyUp={follow}
        onClick={follow}
        onBlur={() => setCaret(0)}
        onFocus={follow}
        onKeyDown={onKeyDown}
        onPaste={(event) => pastePictures(event, attach)}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...listProps(completion)}
      />
    </>
  );
}

/** A panel that is rendered while the user types in the editor must not take focus. */
function useFirstFocus(box: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => (document.hasFocus() ? box.current?.focus() : undefined), []);
}

/** Returns the ARIA attributes for the controlled list and its active row. */
function listProps(completion: CompletionState | null) {
  const isListed = completion !== null && completion.suggestions.length > 0;
  return {
    'aria-controls': isListed ? LIST_ID : undefined,
    'aria-activedescendant': isListed ? optionId(completion.active) : undefined,
  };
}

/** Attaches pasted images. Programs that copy text often add an image of it, in which case the text is meant. */
function pastePictures(event: ClipboardEvent, attach: AttachActions): void {
  const pictures = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  if (pictures.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
  event.preventDefault();
  void attach.addFiles(pictures);
}

/** Keeps the cursor at the same place in the text when something is inserted before it. */
function useKeptCaret({ current: box }: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const before = box && { text: box.value, start: box.selectionStart, end: box.selectionEnd };
  useLayoutEffect(() => {
    if (!before || before.text === '' || before.text === text || !text.endsWith(before.text.slice(before.start)))
      return;
    const moved = text.length - before.text.length;
    box.setSelectionRange(before.start + moved, before.end + moved);
  });
}

/** Returns a function that replaces an empty or recalled text with the user's message before or after it; false if there is none. */
function useRecall(text: string, setText: (text: string) => void): (key: string) => boolean {
  const { chat } = usePanel();
  const recalled = useRef(0);
  return (key) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (step === undefined) return false;
    const sent = chat.state?.entries.flatMap((one) => (one.kind === 'user' && one.text !== '' ? [one.text] : [])) ?? [];
    if (text === '') recalled.current = 0;
    else if (recalled.current === 0 || text !== sent.at(-recalled.current)) return false;
    const next = recalled.current + step;
    if (next < 0 || next > sent.length) return false;
    recalled.current = next;
    setText(next === 0 ? '' : (sent.at(-next) ?? ''));
    return true;
  };
}

function useIsNarrow(): boolean {
  const query = useMemo(() => matchMedia(NARROW_PANEL), []);
  const [isNarrow, setIsNarrow] = useState(query.matches);
  useEffect(() => {
    const follow = () => setIsNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return isNarrow;
}
