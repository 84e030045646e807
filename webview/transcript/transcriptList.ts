import { type Disposable, DisposableStore } from '../../src/base/disposable';
import { t } from '../../src/base/l10n';
import type { ChatEntry, ChatState, UserEntry } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { focusAnswer, focusComposer } from '../ui/focus';
import type { Panel } from '../panel';
import type { ChatChange } from '../store/chatStore';
import { approvalOf, firstWaiting, questionOf } from '../store/selectors';
import { AskGuard } from './ask/askGuard';
import { createArticle, dressArticle } from './entryArticle';
import { type EntryProps, isShownElsewhere, type ToolGroup, toolGroups } from './toolGroups';
import { createEntryView } from './entryView';
import { EntryWindow, type MountedEntry } from './entryWindow';
import { guessHeight } from './guessHeight';
import { ScrollKeeper, selectedEntries } from './scrollKeeper';

/**
 * The conversation. It renders itself: only entries near the view have nodes, each is updated individually, and streamed text
 * goes directly to its entry. Nothing outside knows which entries are mounted.
 */
export class TranscriptList implements Disposable {
  /** The scroll container. */
  readonly element = document.createElement('div');
  readonly scroll: ScrollKeeper;
  private readonly guard: AskGuard;
  private readonly feed = document.createElement('div');
  private readonly disposables = new DisposableStore();
  private readonly window: EntryWindow;
  private readonly indexes = new Map<string, number>();
  private state: ChatState | null = null;
  private groups = new Map<string, ToolGroup>();
  /** The number of leading entries that belong to finished turns. */
  private settled = 0;
  /** Entries just added, which fade in. */
  private readonly fresh = new Set<number>();

  constructor(private readonly panel: Panel) {
    this.element.className = 'transcript';
    this.feed.className = 'feed';
    this.feed.setAttribute('role', 'feed');
    this.feed.setAttribute('aria-label', t('Conversation'));
    this.element.append(this.feed);
    this.window = this.disposables.add(
      new EntryWindow(this.feed, {
        mount: (index) => this.mount(index),
        held: () => this.held(),
        resized: () => {
          this.scroll.settle();
          this.guard.moved();
        },
      }),
    );
    this.scroll = this.disposables.add(new ScrollKeeper(this.element, this.window, this.anchorKeeper()));
    this.guard = this.disposables.add(new AskGuard(this.element, panel.ends, (ids) => this.showEnd(ids)));
    this.disposables.add(this.scroll.onScrolledByHand(() => this.guard.scrolledByHand()));
    this.disposables.add(panel.chat.onChange((change) => this.apply(change)));
    this.disposables.add(panel.view.onChange((what) => what === 'open' && this.foldGroups()));
  }

  /** Returns the entry's node if it is mounted. Entries that wait for the user always are. */
  nodeOf(entryId: string): HTMLElement | undefined {
    const index = this.indexes.get(entryId);
    return index === undefined ? undefined : this.window.get(index)?.article;
  }

  /** Scrolls to this entry and focuses its input if it waits for an answer. */
  goTo(entryId: string): void {
    this.bringIntoView(entryId, null);
    const article = this.nodeOf(entryId);
    if (!article) return;
    this.scroll.reveal(article);
    focusAnswer(article);
  }

  /** Returns why a key must not answer the request: it has not yet been in view without moving, or its end has not been seen. */
  unseenOf(approvalId: string, answer: 'once' | 'reject'): 'all' | 'end' | null {
    return this.guard.unseenOf(approvalId, answer);
  }

  /** Scrolls to the end of the first of these requests, and expands the changes of those whose end is not rendered. */
  showEnd(approvalIds: readonly string[]): void {
    const { ends, view, announcer } = this.panel;
    const [first] = approvalIds;
    if (first === undefined) return;
    const reveal = (mark: Element) => this.scroll.visit(mark);
    const mark = ends.markOf(first);
    if (mark) reveal(mark);
    else ends.whenDrawn(first, reveal);
    for (const { approvalId, entryId } of this.state?.approvals ?? []) {
      if (approvalIds.includes(approvalId) && !ends.markOf(approvalId)) view.setOpen(`edit:${entryId}`, true);
    }
    announcer.say(t('Scrolled to the end. Press again to allow.'));
  }

  isInView(entryId: string): boolean {
    const article = this.nodeOf(entryId)?.getBoundingClientRect();
    const view = this.element.getBoundingClientRect();
    return article !== undefined && article.bottom > view.top && article.top < view.bottom;
  }

  /** Scrolls to the oldest pending request and focuses it. Returns false if there is none. */
  goToWaiting(): boolean {
    const waiting = this.state && firstWaiting(this.state);
    const article = waiting ? this.nodeOf(waiting.entryId) : undefined;
    if (!article) return false;
    this.scroll.reveal(article);
    article.focus({ preventScroll: true });
    return true;
  }

  /** The entry at the top of the view. */
  get topIndex(): number {
    return this.window.indexAt(this.element.scrollTop);
  }

  /** Returns the last user message that has been scrolled out of view at the top. */
  askedAbove(): UserEntry | null {
    for (let at = this.topIndex - 1; at >= 0; at--) {
      const entry = this.state?.entries[at];
      if (entry?.kind === 'user') return entry;
    }
    return null;
  }

  /** Mounts an entry and scrolls to it, expanding its group. In a long answer, also renders the parts that contain the pattern. */
  bringIntoView(entryId: string, pattern: RegExp | null): void {
    const index = this.indexes.get(entryId);
    if (index === undefined) return;
    const group = this.groups.get(entryId);
    if (group && !this.isGroupOpen(group)) this.panel.view.setOpen(`group:${group.id}`, true);
    if (!this.window.get(index)) this.scroll.toTopOf(index);
    if (pattern) this.window.get(index)?.view.fill(pattern);
  }

  /** Expands an entry. Returns false if it has nothing more to show. */
  unfold(entryId: string): boolean {
    const { view } = this.panel;
    const folded = this.nodeOf(entryId)?.matches('[data-kind=tool], [data-kind=agent], [data-kind=thinking]') === true;
    const keys = [entryId, `whole:${entryId}`].filter((key) => view.isOpen(key) !== true);
    if (!folded || keys.length === 0) return false;
    for (const key of keys) view.setOpen(key, true);
    return true;
  }

  /** Moves the focus from the focused entry to a neighbor, or to the first or last. Returns false if that is not possible. */
  focusEntry(from: Element, to: 'previous' | 'next' | 'first' | 'last'): boolean {
    const at = this.window.indexOf(from);
    if (at === undefined) return false;
    const last = this.window.length - 1;
    const target = {
      previous: () => this.findShown(at - 1, -1) ?? at,
      next: () => this.findShown(at + 1, 1) ?? at,
      first: () => this.findShown(0, 1) ?? at,
      last: () => this.findShown(last, -1) ?? at,
    }[to]();
    if (to === 'first') this.scroll.toTopOf(target);
    if (to === 'last') this.scroll.toEnd();
    if (!this.window.get(target)) this.scroll.toTopOf(target);
    const article = this.window.get(target)?.article;
    article?.focus({ preventScroll: true });
    if (article && (to === 'previous' || to === 'next')) this.scroll.reveal(article);
    return article !== undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private findShown(from: number, step: 1 | -1): number | undefined {
    for (let index = from; index >= 0 && index < this.window.length; index += step) {
      if (this.window.isShown(index)) return index;
    }
    return undefined;
  }

  private apply(change: ChatChange): void {
    if (change.kind === 'shown') this.showAll(change.state);
    if (change.kind === 'folded') this.fold(change.state, change.events);
  }

  private showAll(state: ChatState): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.state = state;
    this.indexes.clear();
    state.entries.forEach(({ id }, at) => this.indexes.set(id, at));
    this.groups = toolGroups(state.entries);
    this.settled = state.entries.findLastIndex(({ kind }) => kind === 'turn') + 1;
    this.window.reset(state.entries.map((entry) => this.guess(entry)));
    this.setBusy(state);
    this.scroll.restore();
    this.guard.moved();
    if (hadFocus) focusComposer();
  }

  private fold(state: ChatState, events: readonly HostEvent[]): void {
    const dirty = new Set<string>();
    const { settled } = this;
    this.state = state;
    for (const event of events) this.foldOne(state, event, dirty);
    if (events.some(({ type }) => type === 'entry-added' || type === 'tool-changed')) {
      this.regroup(state, this.firstChanged(events, settled), dirty);
    }
    for (const id of dirty) this.update(state, id);
    if (firstWaiting(state) === null) this.scroll.comeBack();
    this.scroll.refresh();
    this.fresh.clear();
    this.setBusy(state);
    this.panel.announcer.tell(state, events, (id) => this.nodeOf(id)?.querySelector('.markdown')?.textContent ?? '');
    this.guard.moved();
  }

  private foldOne(state: ChatState, event: HostEvent, dirty: Set<string>): void {
    if (event.type === 'entry-added') this.added(state, event.entry, dirty);
    else if (event.type === 'text-appended') this.appended(event.entryId, event.text, dirty);
    else if (event.type === 'text-finished') this.finished(event.entryId, dirty);
    else if (event.type === 'approval-added') dirty.add(event.approval.entryId);
    else if (event.type === 'question-added') dirty.add(event.question.entryId);
    else if (event.type === 'approval-parts-changed') {
      const changed = state.approvals.find(({ approvalId }) => approvalId === event.approvalId);
      if (changed) dirty.add(changed.entryId);
    } else if (event.type === 'approval-removed' || event.type === 'question-removed') this.addWaiting(dirty);
    else if ('entryId' in event) dirty.add(event.entryId);
  }

  /** The entry is mounted once the whole batch of events has been applied. */
  private added(state: ChatState, entry: ChatEntry, dirty: Set<string>): void {
    const at = this.window.length;
    if (this.indexes.has(entry.id)) return;
    if (entry.kind === 'turn') {
      for (const one of state.entries.slice(this.settled, at)) dirty.add(one.id);
      this.settled = at + 1;
    }
    this.indexes.set(entry.id, at);
    this.window.add(this.guess(entry));
    this.fresh.add(at);
  }

  private appended(entryId: string, text: string, dirty: Set<string>): void {
    const entry = this.mountedOf(entryId);
    if (entry?.article.dataset['kind'] === 'text') entry.view.append(text);
    else dirty.add(entryId);
  }

  private finished(entryId: string, dirty: Set<string>): void {
    dirty.add(entryId);
    this.mountedOf(entryId)?.view.finish();
  }

  private mountedOf(entryId: string): MountedEntry | undefined {
    const index = this.indexes.get(entryId);
    return index === undefined ? undefined : this.window.get(index);
  }

  private addWaiting(dirty: Set<string>): void {
    for (const block of this.feed.querySelectorAll('[data-approval-id], [data-question-id]')) {
      const id = block.closest<HTMLElement>('article')?.dataset['entryId'];
      if (id !== undefined) dirty.add(id);
    }
  }

  private mount(index: number): MountedEntry {
    const { state } = this;
    const entry = state?.entries[index];
    if (!state || !entry) throw new Error(`There is no entry ${index} to draw.`);
    const props = this.props(state, index, entry);
    const article = createArticle(props, this.fresh.has(index));
    return { article, view: createEntryView(article, this.panel, props) };
  }

  private update(state: ChatState, id: string): void {
    const index = this.indexes.get(id);
    const entry = index === undefined ? undefined : state.entries[index];
    if (index === undefined || !entry) return;
    this.window.setShown(index, this.isShown(entry), this.guess(entry));
    const mounted = this.window.get(index);
    if (!mounted) return;
    const props = this.props(state, index, entry);
    dressArticle(mounted.article, props);
    mounted.view.update(props);
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

  /** Returns 0 for a hidden entry. */
  private guess(entry: ChatEntry): number {
    return this.isShown(entry) ? guessHeight(entry, this.element.clientWidth || window.innerWidth) : 0;
  }

  private isShown(entry: ChatEntry): boolean {
    const group = this.groups.get(entry.id);
    if (isShownElsewhere(entry)) return false;
    return group === undefined || group.id === entry.id || this.isGroupOpen(group);
  }

  private isGroupOpen(group: ToolGroup): boolean {
    return this.panel.view.isOpen(`group:${group.id}`) === true;
  }

  /** Groups do not extend past the end of a turn, so earlier entries are examined only if they changed themselves. */
  private firstChanged(events: readonly HostEvent[], settled: number): number {
    const changed = events.map((event) =>
      event.type === 'tool-changed' ? this.indexes.get(event.entryId) : undefined,
    );
    return changed.some((index) => index !== undefined && index < settled) ? 0 : settled;
  }

  private regroup(state: ChatState, from: number, dirty: Set<string>): void {
    const recent = state.entries.slice(from);
    const groups = toolGroups(recent);
    for (const { id } of recent) {
      const group = groups.get(id);
      if (this.groups.get(id)?.ids.length === group?.ids.length) continue;
      dirty.add(id);
      if (!group) {
        this.groups.delete(id);
        continue;
      }
      this.groups.set(id, group);
      // The focused entry must not disappear.
      const holder = this.nodeOf(id);
      if (holder?.contains(document.activeElement)) this.panel.view.setOpen(`group:${group.id}`, true);
    }
  }

  private foldGroups(): void {
    const { state } = this;
    if (!state) return;
    for (const id of this.groups.keys()) {
      const index = this.indexes.get(id);
      const entry = index === undefined ? undefined : state.entries[index];
      if (index !== undefined && entry) this.window.setShown(index, this.isShown(entry), this.guess(entry));
    }
    this.scroll.refresh();
  }

  private setBusy({ run }: ChatState): void {
    this.feed.ariaBusy = String(run?.state === 'answering' || run?.state === 'thinking');
  }

  /** Entries that wait for the user, or contain the focus or a selection, stay in the document. */
  private held(): number[] {
    const { state } = this;
    if (!state) return [];
    const waiting = [...state.approvals, ...state.questions].map(({ entryId }) => this.indexes.get(entryId));
    const focused = this.window.indexOf(document.activeElement);
    const selected = selectedEntries(this.feed, (element) => this.window.indexOf(element));
    return [...waiting, focused, ...selected]
      .filter((index) => index !== undefined)
      .filter((one) => one < this.window.length);
  }

  private anchorKeeper() {
    const { view } = this.panel;
    return {
      read: () => {
        const { anchor } = view;
        const index = anchor === 'end' ? undefined : this.indexes.get(anchor.entryId);
        return anchor === 'end' || index === undefined ? ('end' as const) : { index, offset: anchor.offset };
      },
      write: (place: 'end' | { index: number; offset: number }) => {
        const entryId = place === 'end' ? undefined : this.state?.entries[place.index]?.id;
        view.setAnchor(place === 'end' || entryId === undefined ? 'end' : { entryId, offset: place.offset });
      },
    };
  }
}

function beginsTurn(entries: readonly ChatEntry[], at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const kind = entries[before]?.kind;
    if (kind === 'text') return false;
    if (kind === 'user' || kind === 'turn') return true;
  }
  return true;
}
