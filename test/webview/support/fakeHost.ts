import type { ChatState } from '../../../src/protocol/chatState';
import type { Handlers, HostMethod } from '../../../src/protocol/hostApi';
import type { HostEvent } from '../../../src/protocol/hostEvent';
import { HostServer } from '../../../src/protocol/hostServer';
import type { Port } from '../../../src/protocol/port';
import { reduceChat } from '../../../src/protocol/reduceChat';
import { chat } from './chats';

export interface Call {
  method: HostMethod;
  params: unknown;
}

/** The extension's side of the panel: one chat, told what the test says, keeping what the panel asked. */
export class FakeHost {
  readonly calls: Call[] = [];
  /** Errors of requests to come: method → what its handler throws, until it is deleted. */
  readonly failing = new Map<HostMethod, string>();
  private readonly server: HostServer;
  private seq = 0;

  constructor(
    port: Port,
    public state: ChatState,
  ) {
    this.server = new HostServer(port, this.handlers(), () => undefined);
  }

  /** Tells the panel what happened. */
  emit(...events: HostEvent[]): void {
    const firstSeq = this.seq + 1;
    this.silently(...events);
    this.server.post({ kind: 'events', sessionId: this.state.sessionId, firstSeq, events });
  }

  /** Something happens and the panel is not told: the next `emit` leaves a gap. */
  silently(...events: HostEvent[]): void {
    this.seq += events.length;
    this.state = events.reduce(reduceChat, this.state);
  }

  /** Tells of a batch again, as a host that lost count would. */
  repeat(firstSeq: number, ...events: HostEvent[]): void {
    this.server.post({ kind: 'events', sessionId: this.state.sessionId, firstSeq, events });
  }

  showSession(state: ChatState): void {
    this.state = state;
    this.seq = 0;
    this.server.post({ kind: 'show-session', sessionId: state.sessionId });
  }

  focusComposer(): void {
    this.server.post({ kind: 'focus-composer' });
  }

  /** What the panel asked of one kind, oldest first. */
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
        return snapshot();
      },
      'session/new': async (params) => {
        this.note('session/new', params);
        this.state = chat({ sessionId: `new-${this.calls.length}` });
        this.seq = 0;
        return snapshot();
      },
      'session/list': async () => [],
      'run/start': async (params) => {
        this.note('run/start', params);
        return { runId: 'run' };
      },
      'run/resume': async (params) => {
        this.note('run/resume', params);
        return { runId: 'run' };
      },
      'run/steer': done('run/steer'),
      'run/cancel': done('run/cancel'),
      'approval/answer': done('approval/answer'),
      'approval/choose-part': done('approval/choose-part'),
      'review/act': done('review/act'),
      'checkpoint/restore': done('checkpoint/restore'),
      'approval/open-diff': done('approval/open-diff'),
      'question/answer': done('question/answer'),
      'editor/open-file': done('editor/open-file'),
      'editor/open-link': done('editor/open-link'),
      'command/run': done('command/run'),
    };
  }

  private note(method: HostMethod, params: unknown): void {
    this.calls.push({ method, params });
    const problem = this.failing.get(method);
    if (problem !== undefined) throw new Error(problem);
  }
}
