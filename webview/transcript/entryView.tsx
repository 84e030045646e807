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

/** An entry in its own node. */
export interface EntryView extends Disposable {
  update(props: EntryProps): void;
  /** Appends text to the entry without processing what is already rendered. */
  append(text: string): void;
  finish(): void;
  /** Renders parts that contain the pattern but were skipped because they are far from the view. */
  fill(pattern: RegExp): void;
}

export function createEntryView(article: HTMLElement, panel: Panel, props: EntryProps): EntryView {
  try {
    return props.entry.kind === 'text'
      ? textView(article, panel, props.entry, props.beginsTurn)
      : componentView(article, panel, props);
  } catch {
    // The user still sees its text, and everything after it.
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

/** An entry that fails to render shows its plain text, and the others are unaffected. */
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
