import { type Disposable, DisposableStore, Emitter } from '../base/disposable';
import { t } from '../base/l10n';
import type { Log } from '../engine';
import type { Port } from '../protocol/envelope';
import type { ChatSnapshot, Handlers, HostApi } from '../protocol/hostApi';
import { HostServer } from '../protocol/hostServer';
import type { ContextItem } from '../protocol/messageItem';
import type { ChatApprovalHandler, ChatUserPrompter } from './chatApprovalHandler';
import type { LiveChat } from './liveChat';
import type { LiveChats } from './liveChats';

/** Builds the handlers of a panel's requests. `attach` subscribes that panel to a chat, starting from the snapshot. */
type AnswersFor = (attach: (chat: LiveChat) => ChatSnapshot) => Handlers;

/** One panel: the chat it shows and its connection. */
export class ChatController implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly server: HostServer;
  private readonly shown: Emitter<LiveChat>;
  private readonly used: Emitter<undefined>;
  private listening: Disposable | undefined;
  private current: LiveChat | undefined;

  constructor(port: Port, answersFor: AnswersFor, log: Log) {
    this.shown = this.disposables.add(
      new Emitter<LiveChat>((error) => log.error('A listener of a panel threw', error)),
    );
    this.used = this.disposables.add(
      new Emitter<undefined>((error) => log.error('A listener of a panel threw', error)),
    );
    // Subscribe before the server listens, so that a command requested by the panel applies to this panel.
    this.disposables.add(port.onMessage(() => this.used.emit(undefined)));
    const handlers = answersFor((chat) => this.attach(chat));
    this.server = this.disposables.add(
      new HostServer(port, handlers, (method, error) => log.error(`The panel's request ${method} failed`, error)),
    );
  }

  /** The chat shown in the panel; undefined until the panel has requested one. */
  get chat(): LiveChat | undefined {
    return this.current;
  }

  onShown(listener: (chat: LiveChat) => void): Disposable {
    return this.shown.on(listener);
  }

  /** Calls the listener when the panel sends a request, which happens when the user interacts with it. */
  onUsed(listener: () => void): Disposable {
    return this.used.on(listener);
  }

  /** Switches the panel to another session. */
  show(sessionId: string): void {
    this.server.post({ kind: 'show-session', sessionId });
  }

  focusComposer(): void {
    this.server.post({ kind: 'focus-composer' });
  }

  /** Answers the pending request like a key press in the panel: only one that the user can have seen. */
  answerWaiting(answer: 'once' | 'reject'): void {
    this.server.post({ kind: 'answer-waiting', answer });
  }

  /** Moves focus to the next pending request, or to the composer if there is none. */
  goOn(): void {
    this.server.post({ kind: 'go-on' });
  }

  /** Opens a part of the panel that is closed by default. */
  showPart(part: 'find' | 'sessions'): void {
    this.server.post({ kind: 'show-part', part });
  }

  /** Attaches the items to the message being typed and focuses the composer. */
  addItems(items: ContextItem[]): void {
    this.server.post({ kind: 'add-items', items });
  }

  /** Offers an item for the message being typed. It is attached only if the user clicks it. */
  offerNearby(item: ContextItem | null): void {
    this.server.post({ kind: 'nearby', item });
  }

  dispose(): void {
    this.listening?.dispose();
    this.disposables.dispose();
  }

  private attach(chat: LiveChat): ChatSnapshot {
    this.listening?.dispose();
    // Take the snapshot first: it flushes the buffer, so each event reaches this panel either in the snapshot or after it.
    const snapshot = chat.snapshot();
    const listening = new DisposableStore();
    listening.add(chat.onEvents((envelope) => this.server.post(envelope)));
    listening.add(chat.followOthers());
    this.listening = listening;
    this.current = chat;
    this.shown.emit(chat);
    return snapshot;
  }
}

type RunMethods =
  'run/stop-call' | 'run/start' | 'run/resume' | 'run/steer' | 'run/cancel' | 'run/withdraw' | 'run/send-now';

export function runHandlers({ chats }: { chats: LiveChats }): Handlers<RunMethods> {
  const send = async ({ sessionId, text, items = [] }: HostApi['run/start']['params']) => {
    const handle = await (await chats.open(sessionId)).send({ text, items });
    return { runId: handle?.id ?? '' };
  };
  return {
    'run/start': send,
    'run/steer': async (params) => {
      await send(params);
      return null;
    },
    'run/resume': async ({ sessionId }) => ({ runId: (await chats.open(sessionId)).run().id }),
    'run/cancel': async ({ sessionId }) => {
      (await chats.open(sessionId)).cancel();
      return null;
    },
    'run/stop-call': async ({ sessionId, entryId }) => {
      (await chats.open(sessionId)).stopCall(entryId);
      return null;
    },
    'run/withdraw': async ({ sessionId, messageId }) => (await chats.open(sessionId)).withdraw(messageId) ?? null,
    'run/send-now': async ({ sessionId }) => {
      await (await chats.open(sessionId)).sendNow();
      return null;
    },
  };
}

/** Handles answers to requests that the chat of the session shows: its own and those of the agents below it. */
export function approvalHandlers({
  approvals,
  prompter,
  chats,
}: {
  approvals: ChatApprovalHandler;
  prompter: ChatUserPrompter;
  chats: Pick<LiveChats, 'open'>;
}): Handlers<'approval/answer' | 'approval/choose-part' | 'approval/open-diff' | 'question/answer'> {
  const assertShown = async (sessionId: string, id: string) => {
    const { told } = await chats.open(sessionId);
    const isShown =
      told.approvals.some((one) => one.approvalId === id) || told.questions.some((one) => one.questionId === id);
    if (!isShown) throw new Error(t('This was already answered, or its run is over.'));
  };
  return {
    'approval/answer': async ({ sessionId, approvalId, answer }) => {
      await assertShown(sessionId, approvalId);
      approvals.answer(approvalId, answer);
      return null;
    },
    'approval/choose-part': async ({ sessionId, approvalId, part, take }) => {
      await assertShown(sessionId, approvalId);
      await approvals.choosePart(approvalId, part, take);
      return null;
    },
    'approval/open-diff': async ({ sessionId, approvalId }) => {
      await assertShown(sessionId, approvalId);
      await approvals.openDiff(approvalId);
      return null;
    },
    'question/answer': async ({ sessionId, questionId, answers }) => {
      await assertShown(sessionId, questionId);
      prompter.answer(questionId, answers);
      return null;
    },
  };
}
