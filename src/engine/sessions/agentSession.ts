import type { Disposable } from '../../base/disposable';
import { newId } from '../../base/newId';
import { clipEnd } from '../../base/truncate';
import type { Compaction } from '../context/compaction';
import { EngineError } from '../engineError';
import type { AgentEventBody, FinishedAgent, RunBeginning, SpawnedAgent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { type AssistantMessage, type Message, toolCallsOf, type Usage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import type { ToolCall } from '../messages/toolCall';
import type { PermissionRule } from '../permissions/permissionRule';
import type { Clock } from '../ports';
import { SeenFiles } from '../tools/files/seenFiles';
import { TodoList } from '../tools/todoList';
import { ModelView, type Told } from './modelView';
import { changedFiles, openingOf, type SessionEntry, type SessionMetadata, struckEntry } from './sessionEntry';
import type { SessionHold, SessionStore, StoredSession } from './sessionStore';

/** A call without a result, left by an interrupted run. */
export interface OpenCall {
  call: ToolCall;
  /** True if it had started, so that it may have had an effect. */
  started: boolean;
}

/** An automatic action of a run that is recorded as one line. */
type Happening = Extract<AgentEventBody, { type: 'auto-continued' | 'skill-loaded' | 'skill-unloaded' }>;

/** A conversation and its data: the only mutable part of a run. Its contents are on disk before they are used. */
export class AgentSession {
  private readonly entries: SessionEntry[] = [];
  private readonly log: Message[] = [];
  private readonly sessionRules: PermissionRule[] = [];
  private readonly started = new Set<string>();
  private meta: SessionMetadata;
  private readonly known = new Set<string>();
  private readonly unkeptTodos: SessionEntry[] = [];
  private todoWrites: Promise<void> = Promise.resolve();
  private clearing: Promise<void> = Promise.resolve();
  private isHeld = false;
  private todoListener: (items: readonly TodoItem[]) => void = () => undefined;
  private catchUpListener: (from: number) => void = () => undefined;
  private unfinishedRun = false;
  private readonly view = new ModelView();
  readonly todos: TodoList;
  /** What its model knows of files, whether or not it is still in the context. */
  readonly seen = new SeenFiles();

  constructor(
    stored: StoredSession,
    private readonly store: SessionStore,
    private readonly clock: Clock,
  ) {
    this.meta = stored.metadata;
    let items: readonly TodoItem[] = [];
    for (const entry of stored.entries) {
      if (entry.type === 'todos') items = entry.items;
      this.fold(entry);
    }
    this.todos = new TodoList(items, (changed) => this.todosChanged(changed));
  }

  get id(): string {
    return this.meta.id;
  }

  get metadata(): SessionMetadata {
    return this.meta;
  }

  /** All stored entries, in order. */
  get history(): readonly SessionEntry[] {
    return this.entries;
  }

  get messages(): readonly Message[] {
    return this.log;
  }

  /** The conversation as the model sees it; shorter than `messages` after pruning or summarizing. */
  get context(): readonly Message[] {
    return this.view.of(this.log);
  }

  get told(): Told | undefined {
    return this.view.told;
  }

  get rules(): readonly PermissionRule[] {
    return this.sessionRules;
  }

  /** True if the last run has no end: the process was terminated, or it is still running. */
  get interrupted(): boolean {
    return this.unfinishedRun;
  }

  /** Absolute path of the folder with this session's long outputs. */
  get folder(): string {
    return this.store.folder(this.id);
  }

  /** Returns the calls of the last answer that have no result. */
  openCalls(): OpenCall[] {
    const last = this.log.at(-1);
    const results = last?.role === 'tool' ? new Set(last.results.map(({ callId }) => callId)) : new Set<string>();
    const asked = last?.role === 'tool' ? this.log.at(-2) : last;
    if (asked?.role !== 'assistant') return [];
    return toolCallsOf(asked)
      .filter(({ id }) => !results.has(id))
      .map((call) => ({ call, started: this.started.has(call.id) }));
  }

  /** Acquires the right to run in the session, and loads what other processes have added to it. Null if one of them is running in it. */
  async hold(): Promise<SessionHold | null> {
    await this.clearing;
    return this.holdNow();
  }

  private async holdNow(): Promise<SessionHold | null> {
    const hold = await this.store.hold(this.id);
    if (!hold) return null;
    try {
      const changed = hold.changed && this.takeOver(await this.store.open(this.id));
      this.isHeld = true;
      const release = () => {
        this.isHeld = false;
        return hold.release();
      };
      return { changed, release };
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  /**
   * Queues messages for a session in which another process runs: they become part of its history once that run has ended and the
   * session is opened or run again.
   */
  async keepWaiting(messages: readonly Message[]): Promise<void> {
    await this.store.keepWaiting(
      this.id,
      messages.map((message) => this.entry({ type: 'message', message })),
    );
  }

  /** Removes all to-dos. Rejects with EngineError `invalid-state` while another process runs in the session. */
  clearTodos(): Promise<void> {
    const cleared = this.clearing.then(() => this.clear());
    // A run that starts in the meantime waits for this to settle.
    this.clearing = cleared.catch(() => undefined);
    return cleared;
  }

  private async clear(): Promise<void> {
    const hold = this.isHeld ? undefined : await this.holdNow();
    if (hold === null) {
      const text =
        'This session is running in another window. Clear the to-dos there, or here when that run has ended.';
      throw new EngineError('invalid-state', text);
    }
    try {
      this.todos.clear();
      await this.keepTodos();
    } finally {
      await hold?.release();
    }
  }

  /** Loads what other processes have written, unless one of them is running in the session. Must not be called during a run. */
  async catchUp(): Promise<void> {
    const atRest = await this.store.readAtRest(this.id);
    if (atRest) this.takeOver(atRest);
  }

  /** Calls `onChange` shortly after the session changed on disk, including changes by this process. */
  watch(onChange: () => void): Disposable {
    return this.store.watch(this.id, onChange);
  }

  /** Whether another process is running in the session. */
  heldElsewhere(): Promise<boolean> {
    return this.store.heldElsewhere(this.id);
  }

  /**
   * Sets the single listener for changes by other processes; added entries are in `history` from `from` on. Used by whatever
   * displays the session.
   */
  onCaughtUp(listener: (from: number) => void): Disposable {
    this.catchUpListener = listener;
    return { dispose: () => (this.catchUpListener = () => undefined) };
  }

  async add(message: Message): Promise<void> {
    await this.append({ type: 'message', message });
  }

  async addRule(rule: PermissionRule): Promise<void> {
    await this.append({ type: 'rule-added', time: this.clock.now(), rule });
  }

  /** Removes the rules added by "always". Rejects with EngineError `invalid-state` while another process runs in the session. */
  async clearRules(): Promise<void> {
    if (this.sessionRules.length > 0) await this.append({ type: 'rules-cleared', time: this.clock.now() });
  }

  async toolStarted(callId: string): Promise<void> {
    await this.append({ type: 'tool-started', time: this.clock.now(), callId });
  }

  async fileChanged(change: Omit<Extract<SessionEntry, { type: 'file-changed' }>, 'type' | 'time'>): Promise<void> {
    await this.append({ type: 'file-changed', time: this.clock.now(), ...change });
  }

  async agentSpawned(agent: SpawnedAgent): Promise<void> {
    await this.append({ type: 'agent-spawned', time: this.clock.now(), ...agent });
  }

  async agentFinished(agent: FinishedAgent): Promise<void> {
    await this.append({ type: 'agent-finished', time: this.clock.now(), ...agent });
  }

  /** Records the usage of a request that left no message. */
  async usedAside(model: string, usage: Usage): Promise<void> {
    await this.append({ type: 'used-aside', time: this.clock.now(), model, usage });
  }

  async runStarted(runId: string, begun: RunBeginning): Promise<void> {
    const { workspace } = this.metadata;
    await this.append({ type: 'run-started', time: this.clock.now(), runId, ...begun, workspace });
  }

  /** Records an action outside the conversation, for display later. */
  async note(happening: Happening): Promise<void> {
    await this.append({ ...happening, time: this.clock.now() });
  }

  async graphRan(graph: Omit<Extract<SessionEntry, { type: 'graph-ran' }>, 'id' | 'type' | 'time'>): Promise<void> {
    await this.append({ type: 'graph-ran', time: this.clock.now(), ...graph });
  }

  async compact(compaction: Compaction): Promise<void> {
    await this.append({ type: 'compacted', ...compaction });
  }

  /** Hides the bulk of the calls up to and including this message from the model. */
  async prune(upTo: string): Promise<void> {
    await this.append({ type: 'pruned', time: this.clock.now(), upTo });
  }

  async tell(told: Omit<Extract<SessionEntry, { type: 'told' }>, 'type' | 'time'>): Promise<void> {
    await this.append({ type: 'told', time: this.clock.now(), ...told });
  }

  async runFinished(runId: string, outcome: RunOutcome, durationMs: number, costUsd = 0): Promise<void> {
    await this.keepTodos();
    await this.append({ type: 'run-finished', time: this.clock.now(), runId, outcome, durationMs });
    const spent = { costUsd: this.meta.spent.costUsd + costUsd, files: changedFiles(this.entries) };
    await this.configure({ opening: openingOf(this.log), spent });
  }

  /** Changes title, model, approval mode, or other metadata, and updates the modification time unless it is given. */
  async configure(changes: Partial<Omit<SessionMetadata, 'version' | 'id' | 'createdAt' | 'parent'>>): Promise<void> {
    this.meta = await this.store.changeMetadata(this.id, changes);
  }

  /** Sets the title unless it was changed in the meantime, possibly in another window; returns false in that case. */
  async retitle(before: string, title: string): Promise<boolean> {
    this.meta = await this.store.changeMetadata(this.id, { title }, (now) => now.title === before);
    return this.meta.title === title;
  }

  /** Sets a title chosen by the user. Does not count as a change of the conversation. */
  rename(title: string): Promise<void> {
    return this.configure({ title, modifiedAt: this.meta.modifiedAt });
  }

  /** Sets the single listener for to-dos, which is the current run. */
  onTodosChanged(listener: (items: readonly TodoItem[]) => void): void {
    this.todoListener = listener;
  }

  private todosChanged(items: readonly TodoItem[]): void {
    const entry = this.entry({ type: 'todos', time: this.clock.now(), items: [...items] });
    this.unkeptTodos.push(entry);
    this.fold(entry);
    // Failed writes are retried and reported by `runFinished`, which waits for them.
    this.keepTodos().catch(() => undefined);
    this.todoListener(items);
  }

  private keepTodos(): Promise<void> {
    const before = this.todoWrites.catch(() => undefined);
    this.todoWrites = before.then(async () => {
      for (let next = this.unkeptTodos[0]; next; next = this.unkeptTodos[0]) {
        await this.store.append(this.id, next);
        this.unkeptTodos.shift();
      }
    });
    return this.todoWrites;
  }

  /** Returns false if no entries were added. */
  private takeOver({ metadata, entries }: { metadata: SessionMetadata; entries: readonly SessionEntry[] | null }) {
    // A new title is not a change of the conversation and leaves the modification time unchanged.
    const isOther = metadata.modifiedAt !== this.meta.modifiedAt || metadata.title !== this.meta.title;
    this.meta = metadata;
    const from = this.entries.length;
    const added = this.unknownOf(entries ?? []);
    for (const entry of added) {
      if (entry.type === 'todos') this.todos.load(entry.items);
      this.fold(entry);
    }
    if (isOther || added.length > 0) this.catchUpListener(from);
    return added.length > 0;
  }

  /** Entries of older versions have no id and are distinguished by their count. */
  private unknownOf(entries: readonly SessionEntry[]): SessionEntry[] {
    let unnamed = this.entries.filter(({ id }) => id === undefined).length;
    return entries.filter(({ id }) => (id === undefined ? unnamed-- <= 0 : !this.known.has(id)));
  }

  private async append(body: SessionEntry): Promise<void> {
    const entry = this.entry(body);
    await this.store.append(this.id, entry);
    this.fold(entry);
  }

  /** Waits until every secret is known, and returns the function that redacts texts to be stored. */
  async striking(): Promise<(text: string) => string> {
    await this.store.secretsKnown?.();
    return this.store.strike ?? ((text) => text);
  }

  private entry(body: SessionEntry): SessionEntry {
    const { strike } = this.store;
    return { ...(strike ? struckEntry(body, strike) : body), id: body.id ?? newId('entry') };
  }

  private fold(entry: SessionEntry): void {
    this.entries.push(entry);
    if (entry.id !== undefined) this.known.add(entry.id);
    switch (entry.type) {
      case 'message':
        this.log.push(entry.message);
        this.seen.learnFrom(entry.message);
        break;
      case 'tool-started':
        this.started.add(entry.callId);
        break;
      case 'rule-added':
        this.sessionRules.push(entry.rule);
        break;
      case 'rules-cleared':
        this.sessionRules.length = 0;
        break;
      case 'run-started':
        this.unfinishedRun = true;
        break;
      case 'run-finished':
        this.unfinishedRun = false;
        break;
      case 'compacted':
      case 'pruned':
      case 'told':
        this.view.mark(entry);
        break;
      case 'todos':
      case 'file-changed':
      case 'agent-spawned':
      case 'agent-finished':
      case 'auto-continued':
      case 'skill-loaded':
      case 'skill-unloaded':
      case 'graph-ran':
      case 'used-aside':
        break;
    }
  }
}

/** Returns the first line of a text, shortened to fit a title. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return clipEnd(line, 60);
}

/** Returns true if the answer was cut off, so that the model must be asked to continue. */
export function wasCutOff(message: Message | undefined): message is AssistantMessage {
  return message?.role === 'assistant' && message.finish === 'cut-off';
}
