import { EngineError } from '../engineError';
import type { Clock, Log } from '../ports';
import { AgentSession } from './agentSession';
import { checkpointFile } from './fileCheckpoints';
import type { SessionEntry, SessionMetadata } from './sessionEntry';
import type { NewSession, SessionStore } from './sessionStore';

const MAX_TITLE = 120;

/**
 * The sessions of this process: one AgentSession for each that is open, so that all who hold it share its state. Those of
 * agents that others started are many, and stay in memory only as long as somebody holds them.
 */
export class SessionCatalog {
  private readonly opened = new Map<string, Promise<AgentSession>>();
  private readonly lent = new Map<string, WeakRef<AgentSession>>();
  private readonly letGo = new FinalizationRegistry<string>((id) => {
    if (!this.lent.get(id)?.deref()) this.lent.delete(id);
  });

  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async create(session: NewSession): Promise<AgentSession> {
    const metadata = await this.store.create(session);
    const created = new AgentSession({ metadata, entries: [], problems: [] }, this.store, this.clock);
    this.opened.set(metadata.id, Promise.resolve(created));
    this.lend(created);
    return created;
  }

  /** How many sessions are in memory. */
  get inMemory(): number {
    return this.opened.size + [...this.lent.values()].filter((one) => one.deref()).length;
  }

  /** Rejects with EngineError `not-found` when there is no such session. Problems found are told to the log. */
  open(id: string): Promise<AgentSession> {
    const lent = this.lent.get(id)?.deref();
    const known = lent ? Promise.resolve(lent) : this.opened.get(id);
    if (known) return known;
    const opening = this.store.open(id).then((stored) => {
      for (const problem of stored.problems) this.log.warn(problem);
      const session = new AgentSession(stored, this.store, this.clock);
      this.lend(session);
      return session;
    });
    this.opened.set(id, opening);
    opening.catch(() => this.opened.delete(id));
    return opening;
  }

  /**
   * A new session with everything up to a message, which is left out together with what came after it. Rejects with
   * EngineError `not-found` when the session has no such message, and `invalid-state` for one in the middle of a run.
   */
  async branch(id: string, messageId: string): Promise<AgentSession> {
    const { history, metadata } = await this.open(id);
    const end = history.findIndex((entry) => entry.type === 'message' && entry.message.id === messageId);
    if (end < 0) throw new EngineError('not-found', `Session ${id} has no message ${messageId} to branch from.`);
    const before = beforeItsRun(history, end, this.clock.now());
    const { workspace, model, approvalMode, title, agent, role, skills, skillPolicy, variables, own } = metadata;
    const created = await this.store.create({
      workspace,
      model,
      approvalMode,
      name: null,
      agent,
      role,
      skills,
      skillPolicy,
      variables,
      own,
    });
    const hold = await this.store.hold(created.id);
    try {
      for (const entry of before) await this.store.append(created.id, entry);
      // What files were like is kept beside the history, and the new session outlives the old one.
      for (const name of keptFiles(before)) await this.store.copyFile(id, created.id, name);
    } finally {
      await hold?.release();
    }
    if (title !== '' && before.length > 0) await this.store.changeMetadata(created.id, { title });
    return this.open(created.id);
  }

  /** Gives it the person's own title, which no model replaces. Resolves with the title as it is kept. */
  async rename(id: string, title: string): Promise<string> {
    const kept = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
    if (kept === '') throw new EngineError('invalid-input', 'A session needs a name with at least one letter.');
    await (await this.open(id)).rename(kept);
    return kept;
  }

  /** True while another process runs in it. */
  heldElsewhere(id: string): Promise<boolean> {
    return this.store.heldElsewhere(id);
  }

  /**
   * Removes it from disk for good, with the copies of files that it kept. Its run and its commands have to be ended before:
   * `Engine.deleteSession` does all of it.
   */
  async delete(id: string): Promise<void> {
    await this.store.remove(id);
    this.opened.delete(id);
    this.lent.delete(id);
  }

  list(): Promise<SessionMetadata[]> {
    return this.store.list();
  }

  /** The sessions of the agents that one started, and of those that these started. */
  async below(id: string): Promise<SessionMetadata[]> {
    const all = await this.list();
    const belowOne = (above: string): SessionMetadata[] =>
      all.filter(({ parent }) => parent?.sessionId === above).flatMap((one) => [one, ...belowOne(one.id)]);
    return belowOne(id);
  }

  /**
   * The session that `-s NAME` means in a workspace: an id, of whatever workspace, or a name, which each workspace has for
   * itself; undefined when there is none.
   */
  async find(idOrName: string, workspace: string): Promise<SessionMetadata | undefined> {
    const all = await this.list();
    return (
      all.find(({ id }) => id === idOrName) ?? all.find((one) => one.name === idOrName && one.workspace === workspace)
    );
  }

  /** Opens the session of that id, or of that name in the workspace, or makes it. A name may not look like a path. */
  async openOrCreate(name: string, session: Omit<NewSession, 'name'>): Promise<AgentSession> {
    const found = await this.find(name, session.workspace);
    if (found) return this.open(found.id);
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name)) {
      throw new EngineError(
        'invalid-input',
        `"${name}" cannot name a session: use letters, digits, spaces, dots, dashes or underscores.`,
      );
    }
    return this.openNamed(name, session);
  }

  /** Opens the session of that name in the workspace, or makes it: one, however many processes ask for it at once. */
  openNamed(name: string, session: Omit<NewSession, 'name'>): Promise<AgentSession> {
    return this.store.alone(async () => {
      const known = (await this.list()).find((one) => one.name === name && one.workspace === session.workspace);
      return known ? this.open(known.id) : this.create({ ...session, name });
    });
  }

  /** What an agent began that another one started is kept by those who use it. */
  private lend(session: AgentSession): void {
    if (!session.metadata.parent) return;
    this.opened.delete(session.id);
    this.lent.set(session.id, new WeakRef(session));
    this.letGo.register(session, session.id);
  }
}

function keptFiles(history: readonly SessionEntry[]): string[] {
  const names = history.flatMap((entry) =>
    entry.type === 'file-changed' && entry.before !== null ? [checkpointFile(entry.before)] : [],
  );
  // Each is named when its change begins and when it has ended.
  return [...new Set(names)];
}

/**
 * What a history has before the run that a message began. A run before it that has no end is given one, so that the new session
 * does not go on with it. Throws EngineError `invalid-state` for a message that began no run.
 */
function beforeItsRun(history: readonly SessionEntry[], at: number, now: number): readonly SessionEntry[] {
  const lastOf = (type: SessionEntry['type'], to: number) =>
    history.slice(0, to).findLastIndex((one) => one.type === type);
  const [start, end] = [lastOf('run-started', at), lastOf('run-finished', at)];
  if (history.slice(Math.max(start, end) + 1, at).some(({ type }) => type === 'message')) {
    const hint = 'Branch from the message that the run began with, or from a later one.';
    throw new EngineError(
      'invalid-state',
      `No session can end in the middle of a run, where this message was sent. ${hint}`,
    );
  }
  const before = history.slice(0, start > end ? start : end + 1);
  const open = before.findLast(({ type }) => type === 'run-started' || type === 'run-finished');
  if (open?.type !== 'run-started') return before;
  const { runId } = open;
  return [...before, { type: 'run-finished', time: now, runId, outcome: { kind: 'cancelled' }, durationMs: 0 }];
}
