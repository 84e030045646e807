import { type Disposable, DisposableStore, onDispose } from '../../src/base/disposable';
import type { ChatEntry, ChatState } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { composerBox, focusComposer, focusPrimary } from '../focus';
import type { Panel } from '../panel';
import type { ChatChange } from '../store/chatStore';
import { approvalOf, questionOf } from '../store/selectors';
import type { ScrollAnchor } from '../store/viewState';
import { entryLabel } from './entryLabel';
import { createEntryView, type EntryProps, type EntryView } from './entryView';
import { ScrollKeeper } from './scrollKeeper';
import { type ToolGroup, toolGroups } from './toolGroups';

const ENTRIES_PER_PAGE = 50;

interface Item {
  article: HTMLElement;
  view: EntryView;
}

/**
 * The conversation. It draws itself: each entry has its own node and is drawn again alone, and text goes straight to
 * the entry that grows. Nothing outside knows how many entries are mounted.
 */
export class TranscriptList implements Disposable {
  /** The scrolling box. */
  readonly element = document.createElement('div');
  readonly scroll: ScrollKeeper;
  private readonly feed = document.createElement('div');
  private readonly disposables = new DisposableStore();
  private readonly items = new Map<string, Item>();
  private order: string[] = [];
  private groups = new Map<string, ToolGroup>();
  /** How many of the first entries belong to turns that are over. */
  private settled = 0;
  private counting: number | undefined;

  constructor(private readonly panel: Panel) {
    this.element.className = 'transcript';
    this.feed.className = 'feed';
    this.feed.setAttribute('role', 'feed');
    this.feed.setAttribute('aria-label', 'Conversation');
    this.element.append(this.feed);
    const places = { find: () => this.findAnchor(), distance: (anchor: Place) => this.distance(anchor) };
    this.scroll = this.disposables.add(new ScrollKeeper(this.element, this.feed, places, panel.view));
    this.disposables.add(panel.chat.onChange((change) => this.apply(change)));
    this.disposables.add(panel.view.onChange((what) => what === 'open' && this.foldGroups()));
    this.disposables.add(onDispose(() => this.counting !== undefined && cancelIdleCallback(this.counting)));
  }

  /** The entry's node, when it is mounted. */
  nodeOf(entryId: string): HTMLElement | undefined {
    return this.items.get(entryId)?.article;
  }

  /** Shows what waits in this entry and puts the focus on its answer. */
  goTo(entryId: string): void {
    const article = this.nodeOf(entryId);
    if (!article) return;
    this.scroll.reveal(article);
    focusPrimary(article, true);
  }

  /** Moves the focus from the entry that holds it to a neighbour, or to the first or last. False when it cannot. */
  focusEntry(from: Element, to: 'previous' | 'next' | 'first' | 'last'): boolean {
    const shown = this.order.flatMap((id) => this.items.get(id)?.article ?? []).filter((article) => !article.hidden);
    const at = shown.findIndex((article) => article.contains(from));
    if (at < 0) return false;
    const index = { previous: at - 1, next: at + 1, first: 0, last: shown.length - 1 }[to];
    const target = shown[Math.max(0, Math.min(shown.length - 1, index))];
    target?.focus();
    return target !== undefined;
  }

  dispose(): void {
    this.disposables.dispose();
    for (const { view } of this.items.values()) view.dispose();
  }

  private apply(change: ChatChange): void {
    if (change.kind === 'shown') this.showAll(change.state);
    if (change.kind === 'folded') this.fold(change.state, change.events);
  }

  private showAll(state: ChatState): void {
    const hadFocus = this.element.contains(document.activeElement);
    for (const { view } of this.items.values()) view.dispose();
    this.items.clear();
    this.order = [];
    this.feed.replaceChildren();
    this.groups = toolGroups(state.entries);
    this.settled = settledCount(state.entries);
    state.entries.forEach((entry, at) => this.mount(state, entry, at, false));
    this.count();
    this.setBusy(state);
    this.scroll.restore();
    if (hadFocus) focusComposer();
  }

  private fold(state: ChatState, events: readonly HostEvent[]): void {
    const dirty = new Set<string>();
    const answered = this.focusedAsk();
    for (const event of events) this.foldOne(state, event, dirty);
    if (events.some(({ type }) => type === 'entry-added' || type === 'tool-changed')) this.regroup(state, dirty);
    for (const id of dirty) this.update(state, id);
    this.setBusy(state);
    this.panel.announcer.tell(state, events, (id) => this.nodeOf(id)?.querySelector('.markdown')?.textContent ?? '');
    this.moveFocus(events, answered);
  }

  private foldOne(state: ChatState, event: HostEvent, dirty: Set<string>): void {
    if (event.type === 'entry-added') this.added(state, event.entry, dirty);
    else if (event.type === 'text-appended') this.appended(event.entryId, event.text, dirty);
    else if (event.type === 'text-finished') this.finished(event.entryId, dirty);
    else if (event.type === 'approval-added') dirty.add(event.approval.entryId);
    else if (event.type === 'question-added') dirty.add(event.question.entryId);
    else if (event.type === 'approval-removed' || event.type === 'question-removed') this.addWaiting(dirty);
    else if ('entryId' in event) dirty.add(event.entryId);
  }

  private added(state: ChatState, entry: ChatEntry, dirty: Set<string>): void {
    const at = state.entries.findLastIndex(({ id }) => id === entry.id);
    if (entry.kind === 'turn') {
      for (const one of state.entries.slice(this.settled, at)) dirty.add(one.id);
      this.settled = at + 1;
    }
    // Mounted as it was added, because the text that followed in the same batch is appended to it next.
    this.mount(state, entry, at, true);
    dirty.add(entry.id);
    this.scheduleCount();
  }

  private appended(entryId: string, text: string, dirty: Set<string>): void {
    const item = this.items.get(entryId);
    if (item?.article.dataset['kind'] !== 'text') dirty.add(entryId);
    else item.view.append(text);
  }

  private finished(entryId: string, dirty: Set<string>): void {
    dirty.add(entryId);
    this.items.get(entryId)?.view.finish();
  }

  private addWaiting(dirty: Set<string>): void {
    for (const block of this.feed.querySelectorAll('[data-approval-id], [data-question-id]')) {
      const id = block.closest<HTMLElement>('article')?.dataset['entryId'];
      if (id !== undefined) dirty.add(id);
    }
  }

  private mount(state: ChatState, entry: ChatEntry, at: number, fresh: boolean): void {
    if (this.items.has(entry.id)) return;
    const article = document.createElement('article');
    article.className = fresh ? 'entry fresh' : 'entry';
    article.dataset['kind'] = entry.kind;
    article.dataset['entryId'] = entry.id;
    article.tabIndex = entry.kind === 'user' || entry.kind === 'text' ? 0 : -1;
    const props = this.props(state, at, entry);
    this.dress(article, props);
    article.ariaPosInSet = String(at + 1);
    article.ariaSetSize = String(state.entries.length);
    this.page().append(article);
    this.items.set(entry.id, { article, view: createEntryView(article, this.panel, props) });
    this.order.push(entry.id);
  }

  private page(): Element {
    const last = this.feed.lastElementChild;
    if (last && last.childElementCount < ENTRIES_PER_PAGE) return last;
    last?.classList.add('full');
    const page = document.createElement('div');
    page.className = 'page';
    this.feed.append(page);
    return page;
  }

  private update(state: ChatState, id: string): void {
    const item = this.items.get(id);
    const at = state.entries.findLastIndex((entry) => entry.id === id);
    const entry = state.entries[at];
    if (!item || !entry) return;
    const props = this.props(state, at, entry);
    this.dress(item.article, props);
    item.view.update(props);
  }

  private props(state: ChatState, at: number, entry: ChatEntry): EntryProps {
    const group = this.groups.get(entry.id);
    return {
      entry,
      approval: entry.kind === 'tool' ? approvalOf(state, entry.id) : null,
      question: entry.kind === 'tool' ? questionOf(state, entry.id) : null,
      leads: group?.id === entry.id ? group : null,
      grouped: group !== undefined,
      settled: at < this.settled,
      beginsTurn: entry.kind === 'text' && beginsTurn(state.entries, at),
    };
  }

  private dress(article: HTMLElement, { entry, grouped, leads }: EntryProps): void {
    article.ariaLabel = entryLabel(entry);
    if (entry.kind === 'text') article.dataset['streaming'] = String(entry.streaming);
    if (entry.kind === 'notice') article.dataset['level'] = entry.level;
    if (entry.kind === 'tool') {
      article.dataset['tool'] = entry.tool;
      article.dataset['status'] = entry.status;
    }
    article.classList.toggle('grouped', grouped);
    article.hidden = grouped && leads === null && !this.isGroupOpen(entry.id);
  }

  private isGroupOpen(id: string): boolean {
    const group = this.groups.get(id);
    return group !== undefined && this.panel.view.isOpen(`group:${group.id}`) === true;
  }

  private regroup(state: ChatState, dirty: Set<string>): void {
    const before = this.groups;
    this.groups = toolGroups(state.entries);
    for (const [id, group] of this.groups) {
      if (before.get(id)?.ids.length === group.ids.length) continue;
      dirty.add(id);
      // What holds the focus does not vanish under it.
      const holder = this.nodeOf(id);
      if (holder?.contains(document.activeElement)) this.panel.view.setOpen(`group:${group.id}`, true);
    }
    for (const id of before.keys()) if (!this.groups.has(id)) dirty.add(id);
  }

  private foldGroups(): void {
    for (const [id, group] of this.groups) {
      const article = this.nodeOf(id);
      if (article && group.id !== id) article.hidden = !this.isGroupOpen(id);
    }
    this.scheduleCount();
  }

  private setBusy({ run }: ChatState): void {
    this.feed.ariaBusy = String(run?.state === 'answering' || run?.state === 'thinking');
  }

  private scheduleCount(): void {
    this.counting ??= requestIdleCallback(() => this.count());
  }

  /** Tells assistive technology how many entries there are and which is which. */
  private count(): void {
    this.counting = undefined;
    const shown = this.order.flatMap((id) => this.items.get(id)?.article ?? []).filter((article) => !article.hidden);
    shown.forEach((article, at) => {
      article.ariaPosInSet = String(at + 1);
      article.ariaSetSize = String(shown.length);
    });
  }

  private focusedAsk(): Element | null {
    return document.activeElement?.closest('[data-approval-id], [data-question-id]') ?? null;
  }

  /** A new request gets the focus unless the person is typing; an answered one gives it back to the composer. */
  private moveFocus(events: readonly HostEvent[], answered: Element | null): void {
    const added = events.findLast(({ type }) => type === 'approval-added' || type === 'question-added');
    const entryId =
      added?.type === 'approval-added'
        ? added.approval.entryId
        : added?.type === 'question-added'
          ? added.question.entryId
          : null;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active === composerBox();
    const isLost = answered !== null && (active === null || active === document.body);
    const article = entryId === null ? undefined : this.nodeOf(entryId);
    if (article && (isFree || isLost) && this.panel.view.draft('message') === '' && document.hasFocus()) {
      focusPrimary(article, !this.scroll.atEnd);
    } else if (isLost) {
      focusComposer();
    }
  }

  private findAnchor(): ScrollAnchor {
    const top = this.element.getBoundingClientRect().top;
    const page = [...this.feed.children].find((one) => one.getBoundingClientRect().bottom > top);
    for (const article of page?.querySelectorAll<HTMLElement>(':scope > article') ?? []) {
      const box = article.getBoundingClientRect();
      const entryId = article.dataset['entryId'];
      if (box.bottom > top && box.height > 0 && entryId !== undefined) return { entryId, offset: top - box.top };
    }
    return 'end';
  }

  private distance({ entryId, offset }: Place): number | undefined {
    const article = this.nodeOf(entryId);
    return article && article.getBoundingClientRect().top + offset - this.element.getBoundingClientRect().top;
  }
}

type Place = Exclude<ScrollAnchor, 'end'>;

function settledCount(entries: readonly ChatEntry[]): number {
  return entries.findLastIndex(({ kind }) => kind === 'turn') + 1;
}

function beginsTurn(entries: readonly ChatEntry[], at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const kind = entries[before]?.kind;
    if (kind === 'text') return false;
    if (kind === 'user' || kind === 'turn') return true;
  }
  return true;
}
