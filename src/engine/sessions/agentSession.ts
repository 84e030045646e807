import type { Disposable } from '../../base/disposable';
import { clipEnd } from '../../base/truncate';
import { type AssistantMessage, type Message, textOf, toolCallsOf, type Usage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import type { ToolCall } from '../messages/toolCall';
import { type Compaction, compactedView } from '../context/compaction';
import type { PermissionRule } from '../permissions/permissionRule';
import type { Clock } from '../ports';
import { TodoList } from '../tools/todos/todoList';
import type { FinishedAgent, SpawnedAgent } from '../events/agentNews';
import type { AgentEventBody } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import type { SessionEntry, SessionMetadata } from './sessionEntry';
import type { SessionHold, SessionStore, StoredSession } from './sessionStore';

const OPENING_MESSAGES = 5;
/** Of each of them. */
const OPENING_LENGTH = 400;

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
  private todoWrites: Promise<void> = Promise.resolve();
  private todoListener: (items: readonly TodoItem[]) => void = () => undefined;
  private catchUpListener: (from: number) => void = () => undefined;
  private unfinishedRun = false;
  private compaction: Compaction | undefined;
  readonly todos: TodoList;

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

  /** The conversation as the model sees it; shorter than `messages` after a compaction. */
  get context(): readonly Message[] {
    return compactedView(this.log, this.compaction);
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
    const hold = await this.store.hold(this.id);
    if (!hold?.changed) return hold;
    try {
      return { ...hold, changed: this.takeOver(await this.store.open(this.id)) };
    } catch (error) {
      await hold.release();
      throw error;
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

  async toolStarted(callId: string): Promise<void> {
    await this.append({ type: 'tool-started', time: this.clock.now(), callId });
  }

  async fileChanged(change: { path: string; before: string | null; after: string | null }): Promise<void> {
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

  async runStarted(runId: string, model: string): Promise<void> {
    const { workspace } = this.metadata;
    await this.append({ type: 'run-started', time: this.clock.now(), runId, model, workspace });
  }

  /** Keeps what happened beside the conversation, for whoever looks at the session later. */
  async note(happening: Happening): Promise<void> {
    await this.append({ ...happening, time: this.clock.now() });
  }

  async compact(compaction: Compaction): Promise<void> {
    await this.append({ type: 'compacted', ...compaction });
  }

  async runFinished(runId: string, outcome: RunOutcome, durationMs: number): Promise<void> {
    await this.todoWrites;
    await this.append({ type: 'run-finished', time: this.clock.now(), runId, outcome, durationMs });
    await this.configure({ opening: openingOf(this.log) });
  }

  /** Changes title, model or approval mode, and the time of the last change. */
  async configure(
    changes: Partial<
      Pick<
        SessionMetadata,
        | 'title'
        | 'opening'
        | 'model'
        | 'approvalMode'
        | 'name'
        | 'agent'
        | 'role'
        | 'skills'
        | 'skillPolicy'
        | 'variables'
        | 'titleUsage'
        | 'workspace'
      >
    >,
  ): Promise<void> {
    this.meta = await this.store.changeMetadata(this.id, changes);
  }

  /** A name of the person's choice. It does not count as a change of the conversation. */
  async rename(title: string): Promise<void> {
    const { modifiedAt } = this.meta;
    this.meta = await this.store.changeMetadata(this.id, { title, modifiedAt });
  }

  /** The one listener to the to-dos, which is the run under way. */
  onTodosChanged(listener: (items: readonly TodoItem[]) => void): void {
    this.todoListener = listener;
  }

  private todosChanged(items: readonly TodoItem[]): void {
    const entry: SessionEntry = { type: 'todos', time: this.clock.now(), items: [...items] };
    this.fold(entry);
    this.todoWrites = this.todoWrites.then(() => this.store.append(this.id, entry));
    // A write that failed is told by `runFinished`, which waits for it.
    this.todoWrites.catch(() => undefined);
    this.todoListener(items);
  }

  /** False when nothing was added. */
  private takeOver({ metadata, entries }: { metadata: SessionMetadata; entries: readonly SessionEntry[] | null }) {
    // A new title alone is no change of the conversation, and leaves its time as it was.
    const isOther = metadata.modifiedAt !== this.meta.modifiedAt || metadata.title !== this.meta.title;
    this.meta = metadata;
    const from = this.entries.length;
    const added = entries?.slice(from) ?? [];
    for (const entry of added) {
      if (entry.type === 'todos') this.todos.load(entry.items);
      this.fold(entry);
    }
    if (isOther || added.length > 0) this.catchUpListener(from);
    return added.length > 0;
  }

  private async append(entry: SessionEntry): Promise<void> {
    await this.store.append(this.id, entry);
    this.fold(entry);
  }

  private fold(entry: SessionEntry): void {
    this.entries.push(entry);
    switch (entry.type) {
      case 'message':
        this.log.push(entry.message);
        break;
      case 'tool-started':
        this.started.add(entry.callId);
        break;
      case 'rule-added':
        this.sessionRules.push(entry.rule);
        break;
      case 'run-started':
        this.unfinishedRun = true;
        break;
      case 'run-finished':
        this.unfinishedRun = false;
        break;
      case 'compacted':
        this.compaction = entry;
        break;
      case 'todos':
      case 'file-changed':
      case 'agent-spawned':
      case 'agent-finished':
      case 'auto-continued':
      case 'skill-loaded':
      case 'skill-unloaded':
      case 'used-aside':
        break;
    }
  }
}

/** The first line of what was asked, short enough for a title. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return clipEnd(line, 60);
}

/** How the person's first messages begin, in one short text. */
export function openingOf(messages: readonly Message[]): string {
  const said = messages.flatMap((message) => (message.role === 'user' && !message.automatic ? [textOf(message)] : []));
  return said
    .slice(0, OPENING_MESSAGES)
    .map((text) => text.slice(0, OPENING_LENGTH))
    .join('\n');
}

/** True when the answer was cut off and the model has to be asked to go on. */
export function wasCutOff(message: Message | undefined): message is AssistantMessage {
  return message?.role === 'assistant' && message.finish === 'cut-off';
}
