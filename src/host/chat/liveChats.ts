import { type Disposable, DisposableStore } from '../../base/disposable';
import {
  type AgentSession,
  DEMO_PROVIDER,
  type Engine,
  type EngineSettings,
  type Log,
  type RunRequest,
  type SessionMetadata,
} from '../../engine';
import type { FileToReview, ModelChoice } from '../../protocol/chatState';
import type { SessionSummary } from '../../protocol/hostApi';
import type { HostEvent } from '../../protocol/hostEvent';
import type { WorkspaceInfo } from '../editor/workspaceInfo';
import { LiveChat } from './liveChat';

export interface LiveChatsParts {
  engine: Engine;
  workspace: WorkspaceInfo;
  settings: () => EngineSettings;
  log: Log;
  toReview: (sessionId: string) => readonly FileToReview[];
  /** Told of each chat; what it gives back ends with the chats. */
  onOpened: (chat: LiveChat) => Disposable;
}

/** What a session is to begin with. */
export type SessionWishes = Partial<Pick<RunRequest, 'model' | 'agent' | 'role' | 'approvalMode'>>;

/** Every session that was shown since the window opened. */
export class LiveChats implements Disposable {
  private readonly chats = new Map<string, Promise<LiveChat>>();
  private readonly disposables = new DisposableStore();

  constructor(private readonly parts: LiveChatsParts) {}

  /** Rejects with EngineError `not-found` when there is no such session. */
  open(sessionId: string): Promise<LiveChat> {
    const known = this.chats.get(sessionId);
    if (known) return known;
    const opening = this.parts.engine.sessions.open(sessionId).then((session) => this.show(session));
    this.chats.set(sessionId, opening);
    opening.catch(() => this.chats.delete(sessionId));
    return opening;
  }

  /** The workspace's newest session when it is still empty, else a new one. */
  async openNew(): Promise<LiveChat> {
    const { engine, workspace, settings } = this.parts;
    const newest = (await this.ofWorkspace())[0];
    if (newest?.title === '') return this.open(newest.id);
    const { approvalMode } = settings();
    const session = { workspace: workspace.folder, model: null, approvalMode, name: null };
    return this.open((await engine.sessions.create(session)).id);
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
  async openBest(wished: string | undefined): Promise<LiveChat> {
    const sessions = await this.ofWorkspace();
    const best = sessions.find(({ id }) => id === wished) ?? sessions[0];
    return best ? this.open(best.id) : this.openNew();
  }

  /** The sessions of the workspace that have something in them, last changed first. */
  async list(): Promise<SessionSummary[]> {
    const sessions = await this.ofWorkspace();
    return sessions
      .filter(({ title }) => title !== '')
      .map(({ id, title, modifiedAt, opening }) => ({
        sessionId: id,
        title,
        modifiedAt,
        opening,
        running: this.parts.engine.runOf(id) !== undefined,
      }));
  }

  /** Lets go of a session that is there no more. */
  async forget(sessionId: string): Promise<void> {
    const chat = await this.chats.get(sessionId)?.catch(() => undefined);
    this.chats.delete(sessionId);
    chat?.dispose();
  }

  /** Tells all chats without a model of their own which one is now the default. */
  async defaultModelChanged(): Promise<void> {
    for (const opening of this.chats.values()) {
      const chat = await opening;
      chat.publish([{ type: 'model-changed', model: await this.modelOf(chat.session) }]);
    }
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
      if (toReview.length > 0 || chat.state.toReview.length > 0) chat.publish([{ type: 'review-changed', toReview }]);
    }
  }

  /** Tells a chat something that no agent reported; a session that is not shown has nobody to be told. */
  async tell(sessionId: string, event: HostEvent): Promise<void> {
    (await this.chats.get(sessionId))?.publish([event]);
  }

  async modelOf(session: AgentSession): Promise<ModelChoice> {
    const { engine } = this.parts;
    const id = session.metadata.model ?? (await engine.defaultModel());
    return { id, label: labelOf(id, engine), scripted: id.startsWith(`${DEMO_PROVIDER}:`) };
  }

  dispose(): void {
    this.disposables.dispose();
    this.chats.clear();
  }

  private async show(session: AgentSession): Promise<LiveChat> {
    const [model, welcome] = await Promise.all([this.modelOf(session), this.parts.workspace.welcome()]);
    const chat = this.disposables.add(new LiveChat(session, this.parts.engine, model, welcome, this.parts.log));
    chat.publish([{ type: 'review-changed', toReview: this.parts.toReview(session.id) }]);
    this.disposables.add(this.parts.onOpened(chat));
    return chat;
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
