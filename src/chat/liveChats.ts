import { isDeepStrictEqual } from 'node:util';
import { type Disposable, DisposableStore, onDispose } from '../base/disposable';
import { Mutex } from '../base/mutex';
import { runCoalesced } from '../base/runCoalesced';
import {
  type AgentEvent,
  type AgentSession,
  DEMO_PROVIDER,
  type Engine,
  type EngineSettings,
  type Log,
  type RunRequest,
  type SessionMetadata,
} from '../engine';
import type { FileToReview, ModelChoice, Welcome } from '../protocol/chatState';
import type { SessionSummary } from '../protocol/hostApi';
import type { HostEvent } from '../protocol/hostEvent';
import type { KeptMessages } from './keptMessages';
import { type ChatBeginning, LiveChat } from './liveChat';
import { OutsideCalls } from './outsideCalls';
import { MessageQueue } from './messageQueue';

/** The folder that the chats are about. */
export interface ChatWorkspace {
  /** Absolute. */
  readonly folder: string;
  welcome(): Promise<Welcome>;
}

export interface LiveChatsParts {
  engine: Engine;
  workspace: ChatWorkspace;
  settings: () => EngineSettings;
  log: Log;
  kept: KeptMessages;
  /** Reads what goes with a message. */
  read: ChatBeginning['read'];
  /** Who answers in a new session, where somebody chose that for all. */
  newSession?: () => Promise<Speakers | undefined>;
  toReview: (sessionId: string) => readonly FileToReview[];
  /** Told of each chat; what it gives back ends with the chats. */
  onOpened: (chat: LiveChat) => Disposable;
}

type Speakers = Pick<SessionMetadata, 'agent' | 'role'>;

/** What a session is to begin with. */
export type SessionWishes = Partial<Pick<RunRequest, 'model' | 'agent' | 'role' | 'approvalMode'>>;

/** Every session that was shown since the window opened. */
export class LiveChats implements Disposable {
  private readonly chats = new Map<string, Promise<LiveChat>>();
  private readonly shown = new Map<string, LiveChat>();
  /** Of each chat, what ends with it. */
  private readonly ends = new Map<LiveChat, DisposableStore>();
  private readonly modelQuestions = new LatestOnly<LiveChat>();
  private readonly setupQuestions = new LatestOnly<LiveChat>();
  private readonly disposables = new DisposableStore();
  private readonly finding = new Mutex();
  /** Sessions whose run goes on by the model that was the default when it began. */
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

  /** Rejects with EngineError `not-found` when there is no such session. */
  open(sessionId: string): Promise<LiveChat> {
    const known = this.chats.get(sessionId);
    if (known) return known;
    const opening = this.parts.engine.sessions.open(sessionId).then((session) => this.show(session));
    this.chats.set(sessionId, opening);
    opening.catch(() => this.chats.delete(sessionId));
    return opening;
  }

  /** The workspace's newest session when it is still empty and asks for what a new one would, else a new one. */
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

  /** The workspace's session of that name, made when there is none. */
  async openNamed(name: string): Promise<LiveChat> {
    const known = (await this.ofWorkspace()).find((one) => one.name === name);
    return known ? this.open(known.id) : this.create(name);
  }

  /** A new session for a run that nobody typed. */
  async openFor({ model, agent, role, approvalMode }: SessionWishes): Promise<LiveChat> {
    const { engine, workspace, settings } = this.parts;
    const mode = approvalMode ?? settings().approvalMode;
    const speakers = { model: model ?? null, agent: agent ?? null, role: role ?? null };
    const session = { workspace: workspace.folder, ...speakers, approvalMode: mode, name: null };
    return this.open((await engine.sessions.create(session)).id);
  }

  /** The wished session if it is there, else the workspace's newest, else a new one. */
  openBest(wished: string | undefined): Promise<LiveChat> {
    // One after the other: two that find no session must not make one each.
    return this.finding.take(() => this.findBest(wished), new AbortController().signal);
  }

  private async findBest(wished: string | undefined): Promise<LiveChat> {
    const sessions = await this.ofWorkspace();
    const best = sessions.find(({ id }) => id === wished) ?? sessions.find(({ parent }) => !parent);
    return best ? this.open(best.id) : this.openNew();
  }

  /** The sessions of the workspace that have something in them, last changed first, with those of agents below them. */
  async list(): Promise<SessionSummary[]> {
    const all = (await this.ofWorkspace()).filter(({ title }) => title !== '');
    const ids = new Set(all.map(({ id }) => id));
    const waiting = this.waiting();
    const below = (one: SessionMetadata) => all.filter(({ parent }) => parent?.sessionId === one.id);
    const summary = (one: SessionMetadata): SessionSummary => {
      const children = below(one).map(summary).reverse();
      return {
        sessionId: one.id,
        title: one.title,
        modifiedAt: one.modifiedAt,
        opening: one.opening,
        running: this.parts.engine.runOf(one.id) !== undefined,
        activity: this.shown.get(one.id)?.told.run?.activity ?? null,
        costUsd: children.reduce((sum, { costUsd }) => sum + costUsd, one.spent.costUsd),
        files: one.spent.files,
        isFavorite: one.isFavorite,
        waiting: waiting.has(one.id) || children.some((child) => child.waiting),
        agent: one.parent ? one.agent : null,
        children,
      };
    };
    return all.filter(({ parent }) => !parent || !ids.has(parent.sessionId)).map(summary);
  }

  /** The sessions that ask the person something: that of an agent where one asks. */
  private waiting(): Set<string> {
    const asking = [...this.shown.values()].flatMap(({ told }) =>
      [...told.approvals, ...told.questions].map(({ entryId }) => {
        const entry = told.entries.findLast(({ id }) => id === entryId);
        return entry?.kind === 'agent' ? entry.sessionId : told.sessionId;
      }),
    );
    return new Set(asking);
  }

  /** Lets go of a session that is there no more. */
  async forget(sessionId: string): Promise<void> {
    const chat = await this.chats.get(sessionId)?.catch(() => undefined);
    this.chats.delete(sessionId);
    this.shown.delete(sessionId);
    const end = chat && this.ends.get(chat);
    if (end) this.disposables.remove(end);
    if (chat) this.ends.delete(chat);
    this.parts.kept.forget(sessionId);
  }

  /** Tells all chats without a model of their own which one is now the default; one in which a run is under way when that has ended. */
  async defaultModelChanged(): Promise<void> {
    for (const opening of this.chats.values()) {
      const chat = await opening;
      if (this.parts.engine.runOf(chat.session.id)) this.outdated.add(chat.session.id);
      else await this.tellModel(chat);
    }
  }

  /** Tells all chats what their agents are now. */
  async setupChanged(): Promise<void> {
    for (const opening of this.chats.values()) await this.tellSetup(await opening);
  }

  /** Tells a chat who answers in it, what that one proposes, and by which model. */
  async tellSetup(chat: LiveChat): Promise<void> {
    const isLatest = this.setupQuestions.begin(chat);
    chat.setupChanged();
    const { entries, setup } = chat.state;
    // Nobody sees them once something was said.
    const asked = entries.length > 0 ? [] : this.parts.engine.starters(setup.agent, chat.session.id);
    // Of an agent that is not there nothing is known; the run says why.
    const starters = await Promise.resolve(asked).catch(() => []);
    const agent = await this.parts.engine.agents.find(setup.agent);
    const parentTitle = await this.titleOf(setup.parent?.sessionId);
    if (!isLatest()) return;
    chat.setupChanged({ starters, parentTitle, ...(agent?.workMode !== undefined && { workMode: agent.workMode }) });
    await this.tellModel(chat);
  }

  /** Of no session, and of one that cannot be read, ''. */
  private async titleOf(sessionId: string | undefined): Promise<string> {
    if (sessionId === undefined) return '';
    const opening = this.parts.engine.sessions.open(sessionId);
    return opening.then(
      ({ metadata }) => metadata.title,
      () => '',
    );
  }

  /** Tells a chat by which model it is answered: also when somebody else asked for it before and hears of it later. */
  async tellModel(chat: LiveChat): Promise<void> {
    const isLatest = this.modelQuestions.begin(chat);
    const model = await this.modelOf(chat.session);
    if (isLatest() && !isDeepStrictEqual(model, chat.state.model)) chat.publish([{ type: 'model-changed', model }]);
  }

  /** Tells all chats what is known of the workspace now. */
  async welcomeChanged(): Promise<void> {
    const welcome = await this.parts.workspace.welcome();
    for (const opening of this.chats.values()) (await opening).publish([{ type: 'welcome-changed', welcome }]);
  }

  /** Tells all chats what of theirs is left to review. */
  async reviewChanged(): Promise<void> {
    for (const opening of this.chats.values()) {
      const chat = await opening;
      const toReview = this.parts.toReview(chat.session.id);
      if (!isDeepStrictEqual(toReview, chat.state.toReview)) chat.publish([{ type: 'review-changed', toReview }]);
    }
  }

  /**
   * Tells a chat, and those of the agents above, something that no agent reported; a session that is not shown has nobody to
   * be told.
   */
  async tell(sessionId: string, event: HostEvent): Promise<void> {
    (await this.chats.get(sessionId))?.publish([event]);
    const { metadata } = await this.parts.engine.sessions.open(sessionId);
    if (metadata.parent) await this.tell(metadata.parent.sessionId, event);
  }

  private async modelOf(session: AgentSession): Promise<ModelChoice> {
    const { engine } = this.parts;
    // What was chosen for the session counts before what its agent and its role say.
    const planned = session.metadata.model ?? (await engine.modelFor({ sessionId: session.id }).catch(() => undefined));
    return this.choiceOf(planned ?? (await this.modelWithoutAgent(session)));
  }

  /** Without a look at its agent and its role, for which all agents are read. */
  private async modelWithoutAgent({ metadata }: AgentSession): Promise<string> {
    return metadata.model ?? (await this.parts.engine.defaultModel());
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

  /** Agents that others start begin runs in sessions that may be shown. */
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
      // Only a run without an end can be under way.
      session.interrupted && !engine.runOf(session.id) && session.heldElsewhere(),
      import('./replayHistory'),
    ]);
    const queue = new MessageQueue(kept.of(session), (messages) => kept.keep(session, messages));
    const onCaughtUp = () => {
      this.tellSetup(chat).catch((error: unknown) => log.error('The agent could not be looked up', error));
    };
    const shown = { model: this.choiceOf(modelId), welcome, heldElsewhere, queue, read, replay, onCaughtUp };
    const end = this.disposables.add(new DisposableStore());
    const chat: LiveChat = end.add(new LiveChat(session, engine, shown, log));
    this.ends.set(chat, end);
    // After the panel was answered, which need not wait until all agents are read.
    const later = setImmediate(onCaughtUp);
    end.add(onDispose(() => clearImmediate(later)));
    this.shown.set(session.id, chat);
    chat.publish([{ type: 'review-changed', toReview: this.parts.toReview(session.id) }]);
    end.add(this.parts.onOpened(chat));
    return chat;
  }

  /** Without those that agents began. */
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

/** A model that cannot be resolved keeps its id: the run will say what is wrong with it. */
function labelOf(id: string, engine: Engine): string {
  try {
    return engine.describeModel(id).label;
  } catch {
    return id;
  }
}

/** Keeps what was asked earlier and answered late from replacing what was asked after it. */
class LatestOnly<Subject extends object> {
  private readonly newest = new WeakMap<Subject, symbol>();

  /** Asks anew about the subject; what is returned tells whether this is still the newest question about it. */
  begin(subject: Subject): () => boolean {
    const question = Symbol('question');
    this.newest.set(subject, question);
    return () => this.newest.get(subject) === question;
  }
}
