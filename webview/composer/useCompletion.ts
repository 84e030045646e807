import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import { contextCategories, readContextQuery } from '../../src/protocol/contextCategories';
import type { ContextHit, TypedCommand } from '../../src/protocol/hostApi';
import { writeIntoComposer } from '../ui/focus';
import { usePanel } from '../ui/panelContext';
import { type CommandActions, commandSuggestions, useTypedCommands } from './commandRows';
import { type ContextActions, contextSuggestions } from './contextRows';
import type { Suggestion } from './CompletionList';

/** What is being completed, and its range in the text. */
interface Completion {
  kind: 'context' | 'command';
  /** The text after the `@` or `/`. */
  query: string;
  start: number;
  end: number;
}

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
  /** Shown when nothing is found. */
  none: string;
  /** Returns true if the list handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
}

interface Parts {
  text: string;
  caret: number;
  setCaret: (caret: number) => void;
  setText: (text: string) => void;
  pickPicture: () => void;
}

/** Returns the completions for what is being typed after `@` or `/`; null if there are none. */
export function useCompletion({ text, caret, setCaret, setText, pickPicture }: Parts): CompletionState | null {
  /** The key of the row that the user moved to; null while it is the first one. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const completion = completionAt(text, caret);
  const found = useHits(completion);
  const typed = useTypedCommands(completion?.kind === 'command');
  const place = completion ? `${completion.kind} ${completion.start}` : null;
  // Before the next key, which may move on: an effect after the paint would undo that.
  useLayoutEffect(() => setChosen(null), [completion?.query, place]);
  useEffect(() => {
    if (place === null) setDismissed(null);
  }, [place]);

  const put = (words: string, at: number) => {
    writeIntoComposer(words, at);
    setText(words);
    setCaret(at);
  };
  const actions = useActions({ text, completion, pickPicture, put });
  const suggestions = completion ? suggestionsFor(completion, { hits: found.hits, typed }, actions) : [];
  const at = chosen === null ? -1 : suggestions.findIndex(({ key }) => key === chosen);
  const active = Math.max(0, at);
  const isCurrent = completion?.kind !== 'context' || found.query === completion.query;
  const take = (index: number) => {
    const suggestion = suggestions[index];
    if (!completion || !suggestion) return;
    const rest = withoutCompletion(text, completion);
    put(rest.text, rest.caret);
    suggestion.take();
  };
  const isAwaited = useAwaitedEnter(isCurrent, () => take(0));
  if (!completion || dismissed === place) return null;
  const none = isCurrent ? noneWords(completion) : '';
  const count = suggestions.length;
  if (count === 0 && none === '') return null;
  const onKey = (event: KeyboardEvent): boolean => {
    const step = count === 0 ? undefined : { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen(suggestions[(active + step + count) % count]?.key ?? null);
    else if (event.key === 'Escape') setDismissed(place);
    else if (count > 0 && ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab')) {
      // A row that the user moved to is meant, even if more results are about to arrive.
      if (isCurrent || at !== -1) take(active);
      else isAwaited.current = true;
    } else return false;
    return true;
  };
  const label = completion.kind === 'command' ? t('Commands') : t('Add context');
  return { label, suggestions, none, active, take, onKey };
}

/** Handles Enter pressed before results have arrived: once set, `take` runs as soon as they have. */
function useAwaitedEnter(isFound: boolean, take: () => void): { current: boolean } {
  const isAwaited = useRef(false);
  // Before the next key, which an effect after the paint would overwrite.
  useLayoutEffect(() => {
    if (!isFound || !isAwaited.current) return;
    isAwaited.current = false;
    take();
  });
  return isAwaited;
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
  const mention = /(?:^|[\s([{"'])@(\S*)$/.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? '';
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}

/** Returns the text without the completed part, and the new cursor position. */
function withoutCompletion(text: string, { start, end }: Completion): { text: string; caret: number } {
  const after = text.slice(end);
  const gap = start > 0 && /\s$/.test(text.slice(0, start)) && /^\s/.test(after) ? after.slice(1) : after;
  return { text: text.slice(0, start) + gap, caret: start };
}
