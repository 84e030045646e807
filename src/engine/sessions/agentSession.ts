import type { Disposable } from '../../base/disposable';
import { newId } from '../../base/newId';
import { clipEnd } from '../../base/truncate';
import { type AssistantMessage, type Message, toolCallsOf, type Usage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import type { ToolCall } from '../messages/toolCall';
import type { Compaction } from '../context/compaction';
import { EngineError } from '../engineError';
import type { PermissionRule } from '../permissions/permissionRule';
import type { Clock } from '../ports';
import { SeenFiles } from '../tools/files/guard/seenFiles';
import { TodoList } from '../tools/todos/todoList';
import type { AgentEventBody, FinishedAgent, RunBeginning, SpawnedAgent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { ModelView, type Told } from './modelView';
import { changedFiles, openingOf, type SessionEntry, type SessionMetadata, struckEntry } from './sessionEntry';
import type { SessionHold, SessionStore, StoredSession } from './sessionStore';

/** A call without a result, after a run was cut off. */
export interface OpenCall {
  call: ToolCall;
  /** True when it had begun to act, so that it may have had an effect. */
  started: boolean;
}

/** What a run does by itself and tells of in a line. */
type Happening = Extract<AgentEventBody, { type: 'auto-continued' | 'skill-loaded' | 'skill-unloaded' }>;

/** A conversation and what belongs to it: the one mutable thing of a run. What it holds is on disk before it is used. */
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
  /** What its model knows of files, whatever of that is still in its context. */
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

  /** Everything that was kept, in order. */
  get history(): readonly SessionEntry[] {
    return this.entries;
  }

  get messages(): readonly Message[] {
    return this.log;
  }

  /** The conversation as the model sees it; shorter than `messages` after it was pruned or summed up. */
  get context(): readonly Message[] {
    return this.view.of(this.log);
  }

  get told(): Told | undefined {
    return this.view.told;
  }

  get rules(): readonly PermissionRule[] {
    return this.sessionRules;
  }

  /** True when the last run has no end: the process went away, or it is still under way. */
  get interrupted(): boolean {
    return this.unfinishedRun;
  }

  /** Absolute folder where long outputs of this session are kept. */
  get folder(): string {
    return this.store.folder(this.id);
  }

  /** The calls of the last answer that have no result. */
  openCalls(): OpenCall[] {
    const last = this.log.at(-1);
    const results = last?.role === 'tool' ? new Set(last.results.map(({ callId }) => callId)) : new Set<string>();
    const asked = last?.role === 'tool' ? this.log.at(-2) : last;
    if (asked?.role !== 'assistant') return [];
    return toolCallsOf(asked)
      .filter(({ id }) => !results.has(id))
      .map((call) => ({ call, started: this.started.has(call.id) }));
  }

  /**
   * Takes the right to run in the session, and takes over what other processes added to it meanwhile. Null when one of them
   * runs in it now.
   */
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
   * Keeps messages for a session in which another process runs: they are in its history as soon as that one has ended and
   * anybody opens it or runs in it.
   */
  async keepWaiting(messages: readonly Message[]): Promise<void> {
    await this.store.keepWaiting(
      this.id,
      messages.map((message) => this.entry({ type: 'message', message })),
    );
  }

  /** Takes all to-dos away. Rejects with EngineError `invalid-state` while another process runs in the session. */
  clearTodos(): Promise<void> {
    const cleared = this.clearing.then(() => this.clear());
    // A run that begins meanwhile waits for it, however it ends.
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

  /** Takes over what other processes wrote to it, unless one of them runs in it now. Not while a run is under way here. */
  async catchUp(): Promise<void> {
    const atRest = await this.store.readAtRest(this.id);
    if (atRest) this.takeOver(atRest);
  }

  /** Tells, soon after, that something of it changed on disk, also by this process. */
  watch(onChange: () => void): Disposable {
    return this.store.watch(this.id, onChange);
  }

  /** True while another process runs in the session. */
  heldElsewhere(): Promise<boolean> {
    return this.store.heldElsewhere(this.id);
  }

  /**
   * The one listener to what other processes changed; what they added is in `history` beginning at `from`. That is whoever
   * shows the session.
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

  /** Takes back what “always” allowed in it. Rejects with EngineError `invalid-state` while another process runs in it. */
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

  /** Keeps what a request to a model used that left no message. */
  async usedAside(model: string, usage: Usage): Promise<void> {
    await this.append({ type: 'used-aside', time: this.clock.now(), model, usage });
  }

  async runStarted(runId: string, begun: RunBeginning): Promise<void> {
    const { workspace } = this.metadata;
    await this.append({ type: 'run-started', time: this.clock.now(), runId, ...begun, workspace });
  }

  /** Keeps what happened beside the conversation, for whoever looks at the session later. */
  async note(happening: Happening): Promise<void> {
    await this.append({ ...happening, time: this.clock.now() });
  }

  async graphRan(graph: Omit<Extract<SessionEntry, { type: 'graph-ran' }>, 'id' | 'type' | 'time'>): Promise<void> {
    await this.append({ type: 'graph-ran', time: this.clock.now(), ...graph });
  }

  async compact(compaction: Compaction): Promise<void> {
    await this.append({ type: 'compacted', ...compaction });
  }

  /** The model no longer sees the bulk of the calls up to and with this message. */
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

  /** Changes title, model or approval mode, and the time of the last change unless that is given. */
  async configure(changes: Partial<Omit<SessionMetadata, 'version' | 'id' | 'createdAt' | 'parent'>>): Promise<void> {
    this.meta = await this.store.changeMetadata(this.id, changes);
  }

  /** Gives it another title unless it got one meanwhile, also in another window; false then. */
  async retitle(before: string, title: string): Promise<boolean> {
    this.meta = await this.store.changeMetadata(this.id, { title }, (now) => now.title === before);
    return this.meta.title === title;
  }

  /** A name of the person's choice. It does not count as a change of the conversation. */
  rename(title: string): Promise<void> {
    return this.configure({ title, modifiedAt: this.meta.modifiedAt });
  }

  /** The one listener to the to-dos, which is the run under way. */
  onTodosChanged(listener: (items: readonly TodoItem[]) => void): void {
    this.todoListener = listener;
  }

  private todosChanged(items: readonly TodoItem[]): void {
    const entry = this.entry({ type: 'todos', time: this.clock.now(), items: [...items] });
    this.unkeptTodos.push(entry);
    this.fold(entry);
    // What cannot be written is tried again, and told by `runFinished`, which waits for it.
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

  /** False when nothing was added. */
  private takeOver({ metadata, entries }: { metadata: SessionMetadata; entries: readonly SessionEntry[] | null }) {
    // A new title alone is no change of the conversation, and leaves its time as it was.
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

  /** Those of older versions have no id, and are told apart by their number. */
  private unknownOf(entries: readonly SessionEntry[]): SessionEntry[] {
    let unnamed = this.entries.filter(({ id }) => id === undefined).length;
    return entries.filter(({ id }) => (id === undefined ? unnamed-- <= 0 : !this.known.has(id)));
  }

  private async append(body: SessionEntry): Promise<void> {
    const entry = this.entry(body);
    await this.store.append(this.id, entry);
    this.fold(entry);
  }

  /** Resolves, once every secret is known, with what takes them out of a text that is to be kept. */
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

/** The first line of what was asked, short enough for a title. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return clipEnd(line, 60);
}

/** True when the answer was cut off and the model has to be asked to go on. */
export function wasCutOff(message: Message | undefined): message is AssistantMessage {
  return message?.role === 'assistant' && message.finish === 'cut-off';
}
