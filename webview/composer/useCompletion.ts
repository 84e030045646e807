import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextHit, TypedCommand } from '../../src/protocol/hostApi';
import { composerBox } from '../ui/focus';
import { itemIcon } from '../ui/SentItems';
import { usePanel } from '../ui/panelContext';
import { type CommandActions, commandSuggestions, useTypedCommands } from './commandRows';
import type { Suggestion } from './CompletionList';

/** What is being completed in the composer, and the part of the text that it stands in. */
interface Completion {
  kind: 'context' | 'command';
  /** What was typed after the sign. */
  query: string;
  start: number;
  end: number;
}

/** What is found so far, and for which words. */
interface Found {
  query: string;
  hits: readonly ContextHit[];
}

export interface CompletionState {
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  take: (at: number) => void;
  /** True when the key was for the list. */
  onKey: (event: KeyboardEvent) => boolean;
}

interface Parts {
  text: string;
  caret: number;
  setCaret: (caret: number) => void;
  setText: (text: string) => void;
  pickPicture: () => void;
}

/** The list for what is being typed after `@` or `/`; null while there is none. */
export function useCompletion({ text, caret, setCaret, setText, pickPicture }: Parts): CompletionState | null {
  const { attach, editor } = usePanel();
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const completion = completionAt(text, caret);
  const found = useHits(completion);
  const typed = useTypedCommands(completion?.kind === 'command');
  // Enter that came before what it was meant for has been found.
  const isAwaited = useRef(false);
  const place = completion ? `${completion.kind} ${completion.start}` : null;
  useEffect(() => setActive(0), [completion?.query, place]);
  useEffect(() => {
    if (place === null) setDismissed(null);
  }, [place]);

  const put = (words: string, at: number) => {
    setText(words);
    setCaret(at);
    requestAnimationFrame(() => composerBox()?.setSelectionRange(at, at));
  };
  const write = (words: string) => put(words, words.length);
  const actions = actionsOf({ attach, editor }, { pickPicture, write });
  const suggestions = completion ? suggestionsFor(completion, { hits: found.hits, typed }, actions) : [];
  const isCurrent = completion?.kind !== 'context' || found.query === completion.query;
  const take = (at: number) => {
    const suggestion = suggestions[at];
    if (!completion || !suggestion) return;
    const rest = withoutCompletion(text, completion);
    put(rest.text, rest.caret);
    suggestion.take();
  };
  useEffect(() => {
    if (!isCurrent || !isAwaited.current) return;
    isAwaited.current = false;
    take(0);
  });
  if (!completion || dismissed === place || suggestions.length === 0) return null;
  const onKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((active + step + suggestions.length) % suggestions.length);
    else if (event.key === 'Escape') setDismissed(place);
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
      if (isCurrent) take(active);
      else isAwaited.current = true;
    } else return false;
    return true;
  };
  const label = completion.kind === 'command' ? 'Commands' : 'Add context';
  return { label, suggestions, active: Math.min(active, suggestions.length - 1), take, onKey };
}

/** What the host finds, asked anew when the words change; what was found before is shown until then. */
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

interface Actions extends CommandActions {
  attach: ReturnType<typeof usePanel>['attach'];
  pickPicture: () => void;
}

function actionsOf(
  { attach, editor }: Pick<ReturnType<typeof usePanel>, 'attach' | 'editor'>,
  { pickPicture, write }: Pick<Actions, 'pickPicture' | 'write'>,
): Actions {
  return {
    attach,
    pickPicture,
    write,
    run: (command) => editor.runCommand(command),
    ask: (prompt) => void attach.writePrompt(prompt, ''),
  };
}

interface Offered {
  hits: readonly ContextHit[];
  typed: readonly TypedCommand[];
}

function suggestionsFor({ kind, query }: Completion, { hits, typed }: Offered, actions: Actions): Suggestion[] {
  const { attach, pickPicture } = actions;
  if (kind === 'command') return commandSuggestions(query, typed, actions);
  const found = hits.map(({ item, detail, asks }) => ({
    key: `${item.kind} ${item.server ?? ''} ${item.target} ${item.label} ${item.lines?.first ?? ''}`,
    icon: itemIcon(item.kind),
    label: item.label,
    detail,
    take: () => (asks ? void attach.fill(item) : attach.add([item])),
  }));
  const picture = {
    key: 'picture',
    icon: itemIcon('image'),
    label: 'Image…',
    detail: 'From a file',
    take: pickPicture,
  };
  return 'picture'.startsWith(query.toLowerCase()) ? [...found, picture] : found;
}

/** `@` after a space completes what can be sent along, `/` as the first sign completes commands. */
function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([\p{L}\p{N}_.:/-]*)$/u.exec(before);
  if (command) return { kind: 'command', query: (command[1] ?? '').toLowerCase(), start: 0, end: caret };
  const mention = /(?:^|[\s([{"'])@(\S*)$/.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? '';
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}

/** The text without what was completed, and where the caret then stands. */
function withoutCompletion(text: string, { start, end }: Completion): { text: string; caret: number } {
  const after = text.slice(end);
  const gap = start > 0 && /\s$/.test(text.slice(0, start)) && /^\s/.test(after) ? after.slice(1) : after;
  return { text: text.slice(0, start) + gap, caret: start };
}
