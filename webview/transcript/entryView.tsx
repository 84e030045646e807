import { render } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import type { Disposable } from '../../src/base/disposable';
import { safeLine } from '../../src/base/shown/safeText';
import type { ChatEntry, TextEntry } from '../../src/protocol/chatState';
import { PanelContext } from '../ui/panelContext';
import { EntryBody } from './entries/EntryBody';
import { entryText } from '../find/entryText';
import type { Panel } from '../panel';
import type { EntryProps } from './toolGroups';
import { StreamView } from './streamView';

/** One entry in its own node. */
export interface EntryView extends Disposable {
  update(props: EntryProps): void;
  /** Text that was appended to the entry; what is drawn already is not looked at. */
  append(text: string): void;
  finish(): void;
  /** Draws those parts that were left out because they are far from the view and in which the pattern stands. */
  fill(pattern: RegExp): void;
}

export function createEntryView(article: HTMLElement, panel: Panel, props: EntryProps): EntryView {
  try {
    return props.entry.kind === 'text'
      ? textView(article, panel, props.entry, props.beginsTurn)
      : componentView(article, panel, props);
  } catch {
    // The person sees what it says, and everything after it.
    article.replaceChildren();
    render(<PlainEntry entry={props.entry} />, article);
    const nothing = () => undefined;
    return { update: nothing, append: nothing, finish: nothing, fill: nothing, dispose: () => render(null, article) };
  }
}

function textView(article: HTMLElement, panel: Panel, entry: TextEntry, beginsTurn: boolean): EntryView {
  if (beginsTurn) {
    const heading = document.createElement('h2');
    heading.className = 'visually-hidden';
    heading.textContent = safeLine(entry.agent);
    article.append(heading);
  }
  const body = document.createElement('div');
  body.className = 'markdown';
  body.dir = 'auto';
  article.append(body);
  const stream = new StreamView(body, panel.highlighter);
  stream.feed(entry.text);
  if (entry.streaming) stream.draw();
  else stream.finish();
  return {
    update: () => undefined,
    append: (text) => stream.feed(text),
    finish: () => stream.finish(),
    fill: (pattern) => stream.fill(pattern),
    dispose: () => stream.dispose(),
  };
}

/** An entry that cannot be drawn says what it holds, and the others are drawn as ever. */
function Guarded(props: EntryProps) {
  const boundary = useErrorBoundary();
  return boundary[0] === undefined ? <EntryBody {...props} /> : <PlainEntry entry={props.entry} />;
}

function PlainEntry({ entry }: { entry: ChatEntry }) {
  return <p class="as-written">{plainText(entry)}</p>;
}

function plainText(entry: ChatEntry): string {
  try {
    return entryText(entry);
  } catch {
    return JSON.stringify(entry, null, 2);
  }
}

function componentView(article: HTMLElement, panel: Panel, first: EntryProps): EntryView {
  const update = (props: EntryProps) =>
    render(
      <PanelContext.Provider value={panel}>
        <Guarded {...props} />
      </PanelContext.Provider>,
      article,
    );
  update(first);
  const nothing = () => undefined;
  return { update, append: nothing, finish: nothing, fill: nothing, dispose: () => render(null, article) };
}
