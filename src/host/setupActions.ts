import type { LiveChat } from '../chat/liveChat';
import type { LiveChats } from '../chat/liveChats';
import { type Engine, type SessionMetadata, TEMPORARY_SESSION, type WorkMode } from '../engine';
import type { ContextItem } from '../protocol/messageItem';

interface SetupActionsParts {
  engine: Engine;
  chats: LiveChats;
  show: (sessionId: string) => Promise<void>;
}

/** The user's choice of who answers in a chat and with what. Active runs are not affected, except by the mode and skills. */
export class SetupActions {
  constructor(private readonly parts: SetupActionsParts) {}

  /**
   * Switches to the agent's own session if it has one. Null selects the default agent. Rejects with a message for the user if
   * there is no such agent.
   */
  async chooseAgent(chat: LiveChat, name: string | null): Promise<void> {
    if (name === null) return this.configure(chat, { agent: null });
    const { sessionName } = await this.parts.engine.agent(name);
    const own = sessionName === undefined ? chat : await this.sessionFor(sessionName, chat);
    await this.configure(own, { agent: name });
    if (own !== chat) await this.parts.show(own.session.id);
  }

  /** Sets the session's mode, which also applies to an active run. */
  chooseMode(chat: LiveChat, workMode: WorkMode): Promise<void> {
    return this.configure(chat, { workMode });
  }

  /** Sets the items attached to every message from now on. */
  pin(chat: LiveChat, pinned: ContextItem[]): Promise<void> {
    return this.configure(chat, { pinned });
  }

  /** Null for none. Rejects with a message for the user if there is no such role. */
  async chooseRole(chat: LiveChat, name: string | null): Promise<void> {
    const role = name === null ? null : (await this.parts.engine.role(name)).name;
    await this.configure(chat, { role });
  }

  /**
   * Loads exactly these skills, in the order in which they were loaded. Skills that no longer exist are left out. `policy`
   * determines which skills the session may load at all.
   */
  async setSkills(chat: LiveChat, names: readonly string[], policy?: SessionMetadata['skillPolicy']): Promise<void> {
    const there = new Set((await this.parts.engine.skills.list()).map(({ name }) => name));
    const loaded = chat.session.metadata.skills.filter((name) => names.includes(name));
    const skills = [...new Set([...loaded, ...names])].filter((name) => there.has(name));
    await this.configure(chat, { skills, ...(policy && { skillPolicy: policy }) });
  }

  private async sessionFor(sessionName: string, chat: LiveChat): Promise<LiveChat> {
    const { chats } = this.parts;
    if (sessionName !== TEMPORARY_SESSION) return chats.openNamed(sessionName);
    if (chat.state.entries.length === 0) return chat;
    const fresh = await chats.openNew();
    // It may be an existing empty session, for which something was chosen before.
    await this.configure(fresh, { role: null, skills: [] });
    return fresh;
  }

  private async configure(chat: LiveChat, changes: Parameters<LiveChat['session']['configure']>[0]): Promise<void> {
    await chat.session.configure(changes);
    await this.parts.chats.tellSetup(chat);
  }
}
