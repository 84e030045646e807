import { readContextQuery } from '../../../src/protocol/contextCategories';
import type { ChatState } from '../../../src/protocol/chatState';
import type {
  ChangeSince,
  ContextHit,
  Handlers,
  HostMethod,
  SessionSummary,
  TypedCommand,
  WrittenMessage,
} from '../../../src/protocol/hostApi';
import type { ContextItem } from '../../../src/protocol/messageItem';
import type { HostEvent } from '../../../src/protocol/hostEvent';
import { HostServer } from '../../../src/protocol/hostServer';
import type { Port } from '../../../src/protocol/envelope';
import { reduceChat } from '../../../src/protocol/reduceChat';
import { chat } from './chats';

export interface Call {
  method: HostMethod;
  params: unknown;
}

/** The extension's side of the panel: one chat, controlled by the test, recording the panel's requests. */
export class FakeHost {
  readonly calls: Call[] = [];
  /** The results for `@`. */
  hits: ContextHit[] = [];
  /** Searches for these words are answered after it resolves. */
  lateSearch: { words: string; until: Promise<void> } | undefined;
  /** New messages are accepted after it resolves. */
  lateStart: Promise<void> | undefined;
  /** Delays the answers to requests for a session. */
  lateOpen: Promise<void> | undefined;
  /** The user's answer when asked for the parameters of a URI. */
  filled: ContextItem | null = null;
  /** A prompt's result; a string is the reason for its failure. */
  written: WrittenMessage | string | null = null;
  commands: TypedCommand[] = [];
  /** Errors of upcoming requests: maps a method to the message that its handler throws, until deleted. */
  readonly failing = new Map<HostMethod, string>();
  /** The result of `session/list`. */
  sessions: SessionSummary[] = [];
  /** The result of `session/changes-since`. */
  changes: ChangeSince[] = [];
  private readonly server: HostServer;
  private seq = 0;

  constructor(
    port: Port,
    public state: ChatState,
  ) {
    this.server = new HostServer(port, this.handlers(), () => undefined);
  }

  /** Sends events to the panel. */
  emit(...events: HostEvent[]): void {
    const firstSeq = this.seq + 1;
    this.silently(...events);
    this.server.post({ kind: 'events', sessionId: this.state.sessionId, firstSeq, events });
  }

  /** Applies events without sending them, so that the next `emit` leaves a gap. */
  silently(...events: HostEvent[]): void {
    this.seq += events.length;
    this.state = events.reduce(reduceChat, this.state);
  }

  /** Sends a batch again, like a host that lost count. */
  repeat(firstSeq: number, ...events: HostEvent[]): void {
    this.server.post({ kind: 'events', sessionId: this.state.sessionId, firstSeq, events });
  }

  showSession(state: ChatState): void {
    this.state = state;
    this.seq = 0;
    this.server.post({ kind: 'show-session', sessionId: state.sessionId });
  }

  addItems(...items: ContextItem[]): void {
    this.server.post({ kind: 'add-items', items });
  }

  /** Reports what the user is looking at in the editor. */
  offerNearby(item: ContextItem | null): void {
    this.server.post({ kind: 'nearby', item });
  }

  focusComposer(): void {
    this.server.post({ kind: 'focus-composer' });
  }

  showPart(part: 'find' | 'sessions'): void {
    this.server.post({ kind: 'show-part', part });
  }

  /** The parameters of the panel's requests of one method, oldest first. */
  asked(method: HostMethod): unknown[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.params);
  }

  dispose(): void {
    this.server.dispose();
  }

  private handlers(): Handlers {
    const snapshot = () => ({ seq: this.seq, state: this.state });
    const done = (method: HostMethod) => async (params: unknown) => {
      this.note(method, params);
      return null;
    };
    return {
      'chat/open': async (params) => {
        this.note('chat/open', params);
        await this.lateOpen;
        return snapshot();
      },
      'session/new': async (params) => {
        this.note('session/new', params);
        this.state = chat({ sessionId: `new-${this.calls.length}` });
        this.seq = 0;
        return snapshot();
      },
      'session/list': async (params) => {
        this.note('session/list', params);
        return this.sessions;
      },
      'session/rename': async (params) => {
        this.note('session/rename', params);
        this.changeSummary(params.sessionId, { title: params.title });
        return null;
      },
      'session/set-favorite': async (params) => {
        this.note('session/set-favorite', params);
        this.changeSummary(params.sessionId, { isFavorite: params.isFavorite });
        return null;
      },
      'session/delete': async (params) => {
        this.note('session/delete', params);
        this.sessions = this.sessions.filter(({ sessionId }) => sessionId !== params.sessionId);
        return { deleted: true };
      },
      'session/open-in-editor': done('session/open-in-editor'),
      'session/changes-since': async (params) => {
        this.note('session/changes-since', params);
        return this.changes;
      },
      'session/branch': async (params) => {
        this.note('session/branch', params);
        const at = this.state.entries.findIndex(({ id }) => id === params.entryId);
        this.state = { ...this.state, sessionId: 'branch', entries: this.state.entries.slice(0, at) };
        this.seq = 0;
        return snapshot();
      },
      'session/branch-after': async (params) => {
        this.note('session/branch-after', params);
        const at = this.state.entries.findIndex((one) => one.kind === 'turn' && one.runId === params.runId);
        this.state = { ...this.state, sessionId: 'branch', entries: this.state.entries.slice(0, at + 1) };
        this.seq = 0;
        return snapshot();
      },
      'run/stop-call': done('run/stop-call'),
      'code/insert': done('code/insert'),
      'code/apply': done('code/apply'),
      'code/run': done('code/run'),
      'terminal/show': done('terminal/show'),
      'setup/choose': done('setup/choose'),
      'setup/unload-skill': done('setup/unload-skill'),
      'setup/pin': async (params) => {
        this.note('setup/pin', params);
        this.emit({ type: 'setup-changed', setup: { ...this.state.setup, pinned: params.items } });
        return null;
      },
      'run/start': async (params) => {
        this.note('run/start', params);
        await this.lateStart;
        return { runId: 'run' };
      },
      'run/resume': async (params) => {
        this.note('run/resume', params);
        return { runId: 'run' };
      },
      'run/steer': done('run/steer'),
      'run/send-now': done('run/send-now'),
      'run/withdraw': async (params) => {
        this.note('run/withdraw', params);
        const message = this.state.queued.find(({ id }) => id === params.messageId);
        if (!message) return null;
        this.emit({ type: 'queue-changed', queued: this.state.queued.filter((one) => one !== message) });
        return { text: message.text, items: [] };
      },
      'context/search': async (params) => {
        this.note('context/search', params);
        const { only, words } = readContextQuery(params.query);
        if (words === this.lateSearch?.words) await this.lateSearch.until;
        return this.hits.filter(({ item }) => item.label.includes(words) && (only ?? item.kind) === item.kind);
      },
      'commands/list': async (params) => {
        this.note('commands/list', params);
        return this.commands;
      },
      'context/from-uris': async (params) => {
        this.note('context/from-uris', params);
        return params.uris.map((uri) => ({ kind: 'file', label: uri.slice(uri.lastIndexOf('/') + 1), target: uri }));
      },
      'prompts/write': async (params) => {
        this.note('prompts/write', params);
        if (typeof this.written === 'string') throw new Error(this.written);
        return this.written;
      },
      'context/fill': async ({ item }) => {
        this.note('context/fill', item);
        return this.filled;
      },
      'run/cancel': done('run/cancel'),
      'approval/answer': done('approval/answer'),
      'approval/choose-part': done('approval/choose-part'),
      'review/act': done('review/act'),
      'checkpoint/restore': done('checkpoint/restore'),
      'approval/open-diff': done('approval/open-diff'),
      'question/answer': done('question/answer'),
      'graph/show': done('graph/show'),
      'editor/open-file': done('editor/open-file'),
      'editor/open-link': done('editor/open-link'),
      'command/run': done('command/run'),
    };
  }

  private changeSummary(sessionId: string, changes: Partial<SessionSummary>): void {
    this.sessions = this.sessions.map((one) => (one.sessionId === sessionId ? { ...one, ...changes } : one));
  }

  private note(method: HostMethod, params: unknown): void {
    this.calls.push({ method, params });
    const problem = this.failing.get(method);
    if (problem !== undefined) throw new Error(problem);
  }
}
