import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { contextCategories, readContextQuery } from '../../src/protocol/contextCategories';
import type { ContextHit, TypedCommand } from '../../src/protocol/hostApi';
import { writeIntoComposer } from '../ui/focus';
import { usePanel } from '../ui/panelContext';
import { type CommandActions, commandSuggestions, useTypedCommands } from './commandRows';
import { type ContextActions, contextSuggestions } from './contextRows';
import type { Suggestion } from './CompletionList';
import { type AwaitedKey, type Completion, useAnswer, useAwaitedKey } from './awaitedKey';

/** The current results, and the query they are for. */
interface Found {
  query: string;
  hits: readonly ContextHit[];
}

export interface CompletionState {
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  take: (at: number) => void;
  /** Shown when nothing is found; an empty string shows nothing. */
  none: string;
  /** Whether `none` is about to be replaced, and shown only after a moment. */
  isSlow: boolean;
  /** Returns true if the list handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
}

interface Parts {
  text: string;
  caret: number;
  setCaret: (caret: number) => void;
  setText: (text: string) => void;
  pickPicture: () => void;
  send: () => void;
}

/** Returns the completions for what is being typed after `@` or `/`; null if there are none. */
export function useCompletion({ text, caret, setCaret, setText, pickPicture, send }: Parts): CompletionState | null {
  const awaited = useAwaitedKey(text);
  const completion = awaited.key?.completion ?? completionAt(text, caret);
  const found = useHits(completion);
  const typed = useTypedCommands(completion?.kind === 'command');
  const place = completion ? `${completion.kind} ${completion.start}` : null;
  const [isDismissed, dismiss] = useDismissed(place);
  const put = (words: string, at: number) => {
    writeIntoComposer(words, at);
    setText(words);
    setCaret(at);
  };
  const actions = useActions({ text, completion, pickPicture, put });
  const suggestions = completion ? suggestionsFor(completion, { hits: found.hits, typed }, actions) : [];
  const { at, move } = useChosenRow(suggestions, `${completion?.query} ${place}`);
  const active = Math.max(0, at);
  const isCurrent = completion?.kind !== 'context' || found.query === completion.query;
  const take = (index: number) => {
    const suggestion = suggestions[index];
    if (!completion || !suggestion) return;
    const rest = withoutCompletion(text, caret, completion);
    put(rest.text, rest.caret);
    suggestion.take();
  };
  const answer = (key: AwaitedKey) => {
    if (suggestions.length > 0) take(0);
    else if (key.isEnter && key.text === text) send();
  };
  useAnswer(awaited, isCurrent, answer);
  if (!completion || isDismissed) return null;
  const isAwaited = awaited.key !== null;
  const none = isAwaited ? t('Searching…') : isCurrent ? noneWords(completion) : '';
  const count = suggestions.length;
  if (count === 0 && none === '' && isCurrent) return null;
  const onKey = (event: KeyboardEvent): boolean => {
    const step = count === 0 ? undefined : { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) move((active + step + count) % count);
    else if (event.key === 'Escape') {
      dismiss();
      awaited.setKey(null);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      // A row that the user moved to is meant, even if more results are about to arrive.
      if (isCurrent && count === 0) return false;
      if (isCurrent || at !== -1) take(active);
      else awaited.setKey({ completion, text, isEnter: event.key === 'Enter' });
    } else return false;
    return true;
  };
  return { label: labelOf(completion), suggestions, none, isSlow: isAwaited, active, take, onKey };
}

function labelOf({ kind }: Completion): string {
  return kind === 'command' ? t('Commands') : t('Add context');
}

/** Whether the user closed the list at this place, and a function that does so. */
function useDismissed(place: string | null): [boolean, () => void] {
  const [dismissed, setDismissed] = useState<string | null>(null);
  useEffect(() => {
    if (place === null) setDismissed(null);
  }, [place]);
  return [dismissed === place, () => setDismissed(place)];
}

/** The index of the row that the user moved to since `place` changed; -1 if there is none. */
function useChosenRow(suggestions: readonly Suggestion[], place: string) {
  const [chosen, setChosen] = useState<string | null>(null);
  // Before the next key, which may move on: an effect after the paint would undo that.
  useLayoutEffect(() => setChosen(null), [place]);
  const at = chosen === null ? -1 : suggestions.findIndex(({ key }) => key === chosen);
  return { at, move: (to: number) => setChosen(suggestions[to]?.key ?? null) };
}

/** Returns the host's results, queried again when the query changes; previous results are shown until then. */
function useHits(completion: Completion | null): Found {
  const { attach } = usePanel();
  const [found, setFound] = useState<Found>({ query: '', hits: [] });
  const query = completion?.kind === 'context' ? completion.query : null;
  useEffect(() => {
    if (query === null) {
      setFound({ query: '', hits: [] });
      return undefined;
    }
    let isLatest = true;
    void attach.search(query).then((hits) => isLatest && setFound({ query, hits }));
    return () => {
      isLatest = false;
    };
  }, [query, attach]);
  return found;
}

type Actions = CommandActions & ContextActions;

interface ActionParts extends Pick<Parts, 'text' | 'pickPicture'> {
  completion: Completion | null;
  /** Replaces the text of the box and sets the cursor. */
  put: (words: string, at: number) => void;
}

function useActions({ text, completion, pickPicture, put }: ActionParts): Actions {
  const { attach, editor } = usePanel();
  return {
    pickPicture,
    write: (words) => put(words, words.length),
    narrow(category) {
      const front = `${text.slice(0, completion?.start)}@${category}:`;
      put(front + text.slice(completion?.end), front.length);
    },
    add: ({ item, asks }) => (asks ? void attach.fill(item) : attach.add([item])),
    run: (command) => editor.runCommand(command),
    ask: (prompt) => void attach.writePrompt(prompt, ''),
  };
}

interface Offered {
  hits: readonly ContextHit[];
  typed: readonly TypedCommand[];
}

function suggestionsFor({ kind, query }: Completion, { hits, typed }: Offered, actions: Actions): Suggestion[] {
  return kind === 'command' ? commandSuggestions(query, typed, actions) : contextSuggestions(query, hits, actions);
}

/** Only for categories: other words after `@` may be meant literally. */
function noneWords({ kind, query }: Completion): string {
  const { only } = readContextQuery(kind === 'context' ? query : '');
  const category = contextCategories().find(({ name }) => name === only);
  return category?.none ?? '';
}

/** Finds the completion at the cursor: `@` after a space completes attachable items, `/` at the start completes commands. */
function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([\p{L}\p{N}_.:/-]*)$/u.exec(before);
  if (command) return { kind: 'command', query: (command[1] ?? '').toLowerCase(), start: 0, end: caret };
  const mention = /(?:^|[\s([{"'])@(\S{0,1000})$/.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? '';
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}

/** Returns the text without the completed part, and the new cursor position. */
function withoutCompletion(text: string, caret: number, { start, end }: Completion): { text: string; caret: number } {
  const after = text.slice(end);
  const gap = start > 0 && /\s$/.test(text.slice(0, start)) && /^\s/.test(after) ? after.slice(1) : after;
  const moved = caret > end ? caret - (end - start) - (after.length - gap.length) : start;
  return { text: text.slice(0, start) + gap, caret: Math.max(start, moved) };
}
