import { EngineError } from '../engineError';
import type { Clock, Log } from '../ports';
import { AgentSession } from './agentSession';
import type { BranchPlace } from './cutHistory';
import { checkpointFile } from './fileCheckpoints';
import type { SessionEntry, SessionMetadata } from './sessionEntry';
import type { NewSession, SessionStore } from './sessionStore';

const MAX_TITLE = 120;

/**
 * The sessions of this process, with one shared AgentSession per open session. Sessions of child agents can be numerous and are
 * only kept in memory while they are referenced.
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
    if (session.variables) await this.store.secretsKnown?.();
    const metadata = await this.store.create(session);
    this.tellLeftOut(session, metadata);
    const created = new AgentSession({ metadata, entries: [], problems: [] }, this.store, this.clock);
    this.opened.set(metadata.id, Promise.resolve(created));
    this.lend(created);
    return created;
  }

  /** Number of sessions in memory. */
  get inMemory(): number {
    return this.opened.size + [...this.lent.values()].filter((one) => one.deref()).length;
  }

  /** Opens a session. Rejects with EngineError `not-found` if it does not exist. Problems are logged. */
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

  /** Like `open`, but a session that is not open yet stays in memory only while it is referenced. */
  async borrow(id: string): Promise<AgentSession> {
    const known = this.lent.get(id)?.deref() ?? this.opened.get(id);
    return known ?? new AgentSession(await this.store.open(id), this.store, this.clock);
  }

  /**
   * Creates a session with the history up to a point: before a message, which is excluded with everything after it, `at` a
   * checkpoint, where a run without input continues, or `after` a run. Files are not changed. Rejects with EngineError
   * `not-found` if the session has no such point, and `invalid-state` if it cannot be cut there.
   */
  async branch(id: string, from: BranchPlace): Promise<AgentSession> {
    const session = await this.open(id);
    // Another process may have appended to it; existing entries never change.
    await session.catchUp();
    const { history, metadata } = session;
    const { cutHistory } = await import('./cutHistory');
    const { entries, skills } = cutHistory({ history, metadata }, from, this.clock.now());
    const { workspace, model, approvalMode, workMode, title, agent, role, skillPolicy, variables, own, pinned } =
      metadata;
    const kept = { workspace, model, approvalMode, workMode, agent, role, skills, skillPolicy, variables, own, pinned };
    const { keptModel } = metadata;
    const created = await this.store.create({ ...kept, ...(keptModel !== undefined && { keptModel }), name: null });
    try {
      await this.fill(created.id, id, entries);
      if (title !== '' && entries.length > 0) await this.store.changeMetadata(created.id, { title });
    } catch (error) {
      // An incomplete conversation is useless.
      await this.store.remove(created.id);
      throw error;
    }
    return this.open(created.id);
  }

  private async fill(id: string, from: string, entries: readonly SessionEntry[]): Promise<void> {
    const hold = await this.store.hold(id);
    try {
      for (const entry of entries) await this.store.append(id, entry);
      // File copies are stored next to the history, and the new session may outlive the old one.
      for (const name of keptFiles(entries)) await this.store.copyFile(from, id, name);
    } finally {
      await hold?.release();
    }
  }

  /** Sets a title chosen by the user, which no model replaces. Resolves with the stored title. */
  async rename(id: string, title: string): Promise<string> {
    const kept = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
    if (kept === '') throw new EngineError('invalid-input', 'A session needs a name with at least one letter.');
    await (await this.open(id)).rename(kept);
    return kept;
  }

  /** Whether another process is running in the session. */
  heldElsewhere(id: string): Promise<boolean> {
    return this.store.heldElsewhere(id);
  }

  /**
   * Deletes the session from disk, including its copies of files. Its run and its commands must have ended:
   * `Engine.deleteSession` does all of that.
   */
  async delete(id: string): Promise<void> {
    await this.store.remove(id);
    this.opened.delete(id);
    this.lent.delete(id);
  }

  list(): Promise<SessionMetadata[]> {
    return this.store.list();
  }

  /** Returns the sessions of the agents that a session started, recursively. */
  async below(id: string): Promise<SessionMetadata[]> {
    const all = await this.list();
    const belowOne = (above: string): SessionMetadata[] =>
      all.filter(({ parent }) => parent?.sessionId === above).flatMap((one) => [one, ...belowOne(one.id)]);
    return belowOne(id);
  }

  /**
   * Finds the session that `-s NAME` refers to in a workspace: an id from any workspace, or a name, which is unique per
   * workspace; undefined if there is none.
   */
  async find(idOrName: string, workspace: string): Promise<SessionMetadata | undefined> {
    const all = await this.list();
    return (
      all.find(({ id }) => id === idOrName) ?? all.find((one) => one.name === idOrName && one.workspace === workspace)
    );
  }

  /** Opens the session with that id, or with that name in the workspace, or creates it. Path-like names are invalid. */
  async openOrCreate(name: string, session: Omit<NewSession, 'name'>): Promise<AgentSession> {
    const found = await this.find(name, session.workspace);
    if (found) return this.open(found.id);
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name)) {
      throw new EngineError(
        'invalid-input',
        `"${name}" is not a valid session name: use letters, digits, spaces, dots, dashes, or underscores.`,
      );
    }
    return this.openNamed(name, session);
  }

  /** Opens or creates the session of that name in the workspace: only one, however many processes do so at once. */
  openNamed(name: string, session: Omit<NewSession, 'name'>): Promise<AgentSession> {
    return this.store.alone(async () => {
      const known = (await this.list()).find((one) => one.name === name && one.workspace === session.workspace);
      return known ? this.open(known.id) : this.create({ ...session, name });
    });
  }

  private tellLeftOut({ variables = {} }: NewSession, kept: SessionMetadata): void {
    for (const name of Object.keys(variables).filter((one) => !(one in kept.variables))) {
      const hint = 'Pass it with each run instead.';
      this.log.warn(`The variable “${name}” contains a secret and is not saved with session ${kept.id}. ${hint}`);
    }
  }

  /** Sessions of child agents are referenced weakly; their users keep them alive. */
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
  // Each name occurs at the start and at the end of its change.
  return [...new Set(names)];
}
