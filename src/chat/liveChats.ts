import { isDeepStrictEqual } from 'node:util';
import { Mutex, runCoalesced } from '../base/async';
import { type Disposable, DisposableStore, onDispose } from '../base/disposable';
import {
  type AgentEvent,
  type AgentSession,
  DEMO_PROVIDER,
  type Engine,
  type EngineSettings,
  type Log,
  type RunRequest,
  type SessionMetadata,
  usableMode,
} from '../engine';
import type { FileToReview, ModelChoice, Welcome } from '../protocol/chatState';
import type { SessionSummary } from '../protocol/hostApi';
import type { HostEvent } from '../protocol/hostEvent';
import { type ChatBeginning, LiveChat } from './liveChat';
import { type KeptMessages, MessageQueue } from './messageQueue';
import { OutsideCalls } from './outsideCalls';

/** The folder that the chats belong to. */
interface ChatWorkspace {
  /** Absolute. */
  readonly folder: string;
  welcome(): Promise<Welcome>;
  /** Whether the user trusts the folder. */
  readonly isTrusted: boolean;
}

interface LiveChatsParts {
  engine: Engine;
  workspace: ChatWorkspace;
  settings: () => EngineSettings;
  log: Log;
  kept: KeptMessages;
  /** Reads a message's attachments. */
  read: ChatBeginning['read'];
  /** Agent and role for new sessions, if configured globally. */
  newSession?: () => Promise<Speakers | undefined>;
  toReview: (sessionId: string) => readonly FileToReview[];
  /** Called for each chat when it is created. The returned Disposable is disposed with the chat. */
  onOpened: (chat: LiveChat) => Disposable;
}

type Speakers = Pick<SessionMetadata, 'agent' | 'role'>;

/** Initial settings of a session. */
type SessionWishes = Partial<Pick<RunRequest, 'model' | 'agent' | 'role' | 'approvalMode'>>;

/** All sessions that were shown since the window opened. */
export class LiveChats implements Disposable {
  private readonly chats = new Map<string, Promise<LiveChat>>();
  private readonly shown = new Map<string, LiveChat>();
  /** What is disposed with each chat. */
  private readonly ends = new Map<LiveChat, DisposableStore>();
  private readonly modelQuestions = new LatestOnly<LiveChat>();
  private readonly setupQuestions = new LatestOnly<LiveChat>();
  private readonly disposables = new DisposableStore();
  private readonly finding = new Mutex();
  /** Sessions whose run still uses the former default model. */
  private readonly outdated = new Set<string>();

  constructor(private readonly parts: LiveChatsParts) {
    const { engine, log } = parts;
    const refresh = runCoalesced(() => this.setupChanged());
    const changed = () => void refresh().catch((error: unknown) => log.error('Agents could not be reloaded', error));
    for (const catalog of [engine.agents, engine.roles]) this.disposables.add(catalog.onChanged(changed));
    this.disposables.add(engine.onEvent((event) => event.type === 'run-started' && this.joinRun(event)));
    this.disposables.add(engine.onEvent((event) => event.type === 'run-finished' && this.runEnded(event)));
    const places = { shown: (id: string) => this.shown.get(id), open: (id: string) => this.open(id) };
    const calls = new OutsideCalls(engine, places, log);
    this.disposables.add(engine.onEvent((event) => calls.take(event)));
  }

  /** Rejects with EngineError `not-found` if there is no such session. */
  open(sessionId: string): Promise<LiveChat> {
    const known = this.chats.get(sessionId);
    if (known) return known;
    const opening = this.parts.engine.sessions.open(sessionId).then((session) => this.show(session));
    this.chats.set(sessionId, opening);
    opening.catch(() => this.chats.delete(sessionId));
    return opening;
  }

  /** Opens the workspace's newest session if it is still empty and has the settings of a new one. Otherwise creates one. */
  async openNew(): Promise<LiveChat> {
    const newest = (await this.ofPeople())[0];
    const { agent, role } = await this.speakers();
    const isAsNew =
      newest?.title === '' &&
      newest.approvalMode === this.parts.settings().approvalMode &&
      newest.workMode === null &&
      newest.agent === agent &&
      newest.role === role;
    if (isAsNew && newest.name === null) return this.open(newest.id);
    return this.create(null);
  }

  /** Opens the workspace's session with that name, creating it if necessary. */
  async openNamed(name: string): Promise<LiveChat> {
    const known = (await this.ofWorkspace()).find((one) => one.name === name);
    return known ? this.open(known.id) : this.create(name);
  }

  /** Creates a session for a run that was not started by a typed message. */
  async openFor({ model, agent, role, approvalMode }: SessionWishes): Promise<LiveChat> {
    const { engine, workspace, settings } = this.parts;
    const mode = approvalMode ?? settings().approvalMode;
    const speakers = { model: model ?? null, agent: agent ?? null, role: role ?? null };
    const session = { workspace: workspace.folder, ...speakers, approvalMode: mode, name: null };
    return this.open((await engine.sessions.create(session)).id);
  }

  /** Opens the requested session if it exists, otherwise the workspace's newest one, otherwise a new one. */
  openBest(wished: string | undefined): Promise<LiveChat> {
    // Serialized, so that two calls that find no session do not create one each.
    return this.finding.take(() => this.findBest(wished), new AbortController().signal);
  }

  private async findBest(wished: string | undefined): Promise<LiveChat> {
    const sessions = await this.ofWorkspace();
    const best = sessions.find(({ id }) => id === wished) ?? sessions.find(({ parent }) => !parent);
    return best ? this.open(best.id) : this.openNew();
  }

  /** Returns the workspace's non-empty sessions, most recently changed first, with the sessions of agents nested below them. */
  async list(): Promise<SessionSummary[]> {
    const { sessionSummaries } = await import('./sessionSummaries');
    return sessionSummaries(await this.ofWorkspace(), this.parts.engine, this.shown);
  }

  /** Drops a session that no longer exists. */
  async forget(sessionId: string): Promise<void> {
    const chat = await this.chats.get(sessionId)?.catch(() => undefined);
    this.chats.delete(sessionId);
    this.shown.delete(sessionId);
    const end = chat && this.ends.get(chat);
    if (end) this.disposables.remove(end);
    if (chat) this.ends.delete(chat);
    this.parts.kept.forget(sessionId);
  }

  /**
   * Publishes the new default model to all chats that neither have a model of their own nor keep the default of their first run. A
   * chat with an active run gets it when that run ends.
   */
  async defaultModelChanged(): Promise<void> {
    for (const opening of this.chats.values()) {
      const chat = await opening;
      if (this.parts.engine.runOf(chat.session.id)) this.outdated.add(chat.session.id);
      else await this.tellModel(chat);
    }
  }

  /** Refreshes the agent shown in every chat. */
  async setupChanged(): Promise<void> {
    for (const opening of this.chats.values()) await this.tellSetup(await opening);
  }

  /** Publishes a chat's current agent, its starters, and its model. */
  async tellSetup(chat: LiveChat): Promise<void> {
    const isLatest = this.setupQuestions.begin(chat);
    chat.setupChanged();
    const { entries, setup } = chat.state;
    // Starters are hidden once the conversation has begun.
    const asked = entries.length > 0 ? [] : this.parts.engine.starters(setup.agent, chat.session.id);
    // Nothing is known about an agent that does not exist; the run reports why.
    const starters = await Promise.resolve(asked).catch(() => []);
    const agent = await this.parts.engine.agents.find(setup.agent);
    const parentTitle = await this.titleOf(setup.parent?.sessionId);
    if (!isLatest()) return;
    chat.setupChanged({ starters, parentTitle, ...(agent?.workMode !== undefined && { workMode: agent.workMode }) });
    await this.tellModel(chat);
  }

  /** Returns '' without a session or if it cannot be read. */
  private async titleOf(sessionId: string | undefined): Promise<string> {
    if (sessionId === undefined) return '';
    const opening = this.parts.engine.sessions.open(sessionId);
    return opening.then(
      ({ metadata }) => metadata.title,
      () => '',
    );
  }

  /** Publishes a chat's current model. A slower answer to an earlier lookup is discarded. */
  async tellModel(chat: LiveChat): Promise<void> {
    const isLatest = this.modelQuestions.begin(chat);
    const model = await this.modelOf(chat.session);
    if (isLatest() && !isDeepStrictEqual(model, chat.state.model)) chat.publish([{ type: 'model-changed', model }]);
  }

  /** Publishes the current workspace information to all chats. */
  async welcomeChanged(): Promise<void> {
    const welcome = await this.parts.workspace.welcome();
    for (const opening of this.chats.values()) {
      const chat = await opening;
      chat.publish([{ type: 'welcome-changed', welcome }]);
      // The folder may be trusted now.
      chat.approvalModeChanged();
    }
  }

  /** Publishes to each chat which of its files are left to review. */
  async reviewChanged(): Promise<void> {
    for (const opening of this.chats.values()) {
      const chat = await opening;
      const toReview = this.parts.toReview(chat.session.id);
      if (!isDeepStrictEqual(toReview, chat.state.toReview)) chat.publish([{ type: 'review-changed', toReview }]);
    }
  }

  /** Publishes an event that no agent reported to a chat and to those of its parent agents. No-op for sessions that are not shown. */
  async tell(sessionId: string, event: HostEvent): Promise<void> {
    const told = new Set<string>();
    // An altered file may name a session among its own parents.
    for (let id: string | undefined = sessionId; id !== undefined && !told.has(id);) {
      told.add(id);
      (await this.chats.get(id))?.publish([event]);
      const { metadata }: AgentSession = await this.parts.engine.sessions.open(id);
      id = metadata.parent?.sessionId;
    }
  }

  private async modelOf(session: AgentSession): Promise<ModelChoice> {
    const { engine } = this.parts;
    // A model chosen for the session takes precedence over its agent's and role's.
    const planned = session.metadata.model ?? (await engine.modelFor({ sessionId: session.id }).catch(() => undefined));
    return this.choiceOf(planned ?? (await this.modelWithoutAgent(session)));
  }

  /** Ignores the agent and role, because looking those up reads all agents. */
  private async modelWithoutAgent({ metadata }: AgentSession): Promise<string> {
    return metadata.model ?? metadata.keptModel ?? (await this.parts.engine.defaultModel());
  }

  private choiceOf(id: string): ModelChoice {
    const { engine } = this.parts;
    return { id, label: labelOf(id, engine), scripted: id.startsWith(`${DEMO_PROVIDER}:`) };
  }

  dispose(): void {
    this.disposables.dispose();
    this.ends.clear();
    this.chats.clear();
  }

  /** Agents started by others begin runs in sessions that may be shown. */
  private joinRun(event: AgentEvent): void {
    const handle = this.parts.engine.runOf(event.sessionId);
    if (handle) this.shown.get(event.sessionId)?.join(handle, event);
  }

  private runEnded({ sessionId }: AgentEvent): void {
    const chat = this.outdated.delete(sessionId) ? this.shown.get(sessionId) : undefined;
    if (!chat) return;
    this.tellModel(chat).catch((error: unknown) =>
      this.parts.log.error('The model of a chat could not be shown', error),
    );
  }

  private async show(session: AgentSession): Promise<LiveChat> {
    const { engine, workspace, log, kept, read } = this.parts;
    const [modelId, welcome, heldElsewhere, { replayHistory: replay }] = await Promise.all([
      this.modelWithoutAgent(session),
      workspace.welcome(),
      // Only an unfinished run can be active elsewhere.
      session.interrupted && !engine.runOf(session.id) && session.heldElsewhere(),
      import('./replayHistory'),
    ]);
    const queue = new MessageQueue(kept.of(session), (messages) => kept.keep(session, messages));
    const onCaughtUp = () => {
      this.tellSetup(chat).catch((error: unknown) => log.error('The agent could not be looked up', error));
    };
    const approvalMode = () => usableMode(session.metadata.approvalMode, { trusted: workspace.isTrusted });
    const shown = {
      approvalMode,
      model: this.choiceOf(modelId),
      welcome,
      heldElsewhere,
      queue,
      read,
      replay,
      onCaughtUp,
    };
    const end = this.disposables.add(new DisposableStore());
    const chat: LiveChat = end.add(new LiveChat(session, engine, shown, log));
    this.ends.set(chat, end);
    // Deferred until the panel has been answered, which need not wait for all agents to be read.
    const later = setImmediate(onCaughtUp);
    end.add(onDispose(() => clearImmediate(later)));
    this.shown.set(session.id, chat);
    chat.publish([{ type: 'review-changed', toReview: this.parts.toReview(session.id) }]);
    end.add(this.parts.onOpened(chat));
    return chat;
  }

  /** Sessions not started by agents. */
  private async ofPeople(): Promise<SessionMetadata[]> {
    return (await this.ofWorkspace()).filter(({ parent }) => !parent);
  }

  private async speakers(): Promise<Speakers> {
    return (await this.parts.newSession?.()) ?? { agent: null, role: null };
  }

  private async create(name: string | null): Promise<LiveChat> {
    const { engine, workspace, settings } = this.parts;
    const speakers = await this.speakers();
    const { approvalMode } = settings();
    const session = { workspace: workspace.folder, model: null, ...speakers, approvalMode, name };
    return this.open((await engine.sessions.create(session)).id);
  }

  private async ofWorkspace(): Promise<SessionMetadata[]> {
    const { engine, workspace } = this.parts;
    return (await engine.sessions.list()).filter((one) => one.workspace === workspace.folder);
  }
}

/** Falls back to the id if the model cannot be resolved. The run reports what is wrong. */
function labelOf(id: string, engine: Engine): string {
  try {
    return engine.describeModel(id).label;
  } catch {
    return id;
  }
}

/** Keeps a late answer to an earlier lookup from overwriting a newer one. */
class LatestOnly<Subject extends object> {
  private readonly newest = new WeakMap<Subject, symbol>();

  /** Starts a new lookup for the subject. The returned function tells whether it is still the latest one. */
  begin(subject: Subject): () => boolean {
    const question = Symbol('question');
    this.newest.set(subject, question);
    return () => this.newest.get(subject) === question;
  }
}
