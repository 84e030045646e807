import { type Disposable, DisposableStore } from '../src/base/disposable';
import type { HostClient, RequestHost } from '../src/protocol/hostClient';
import { type ApprovalActions, approvalActions } from './actions/approvalActions';
import { type AttachActions, attachActions } from './actions/attachActions';
import {
  type ChatActions,
  chatActions,
  type SessionActions,
  sessionActions,
  type SetupActions,
  setupActions,
} from './actions/chatActions';
import { type EditorActions, editorActions } from './actions/editorActions';
import { type ReviewActions, reviewActions, type RunActions, runActions } from './actions/runActions';
import { Announcer } from './transcript/announcer';
import type { PanelStorage } from './host';
import { Highlighter } from './markdown/highlighter';
import { ChatStore } from './store/chatStore';
import { FailureLog } from './store/failureLog';
import { OpenParts } from './store/openParts';
import { ViewState } from './store/viewState';
import { SeenEnds } from './transcript/ask/seenEnds';

/** What the parts of the panel share. */
export interface Panel extends Disposable {
  chat: ChatStore;
  view: ViewState;
  /** The requests whose end the user has seen. */
  ends: SeenEnds;
  failures: FailureLog;
  chats: ChatActions;
  run: RunActions;
  sessions: SessionActions;
  setup: SetupActions;
  parts: OpenParts;
  attach: AttachActions;
  approvals: ApprovalActions;
  review: ReviewActions;
  editor: EditorActions;
  announcer: Announcer;
  highlighter: Highlighter;
}

export function createPanel(client: HostClient, storage: PanelStorage): Panel {
  const disposables = new DisposableStore();
  const onListenerError = (error: unknown) => reportError(error);
  const request: RequestHost = (method, params) => client.request(method, params);
  const failures = disposables.add(new FailureLog());
  const view = disposables.add(new ViewState(storage, onListenerError));
  const open = (sessionId: string | undefined) => request('chat/open', sessionId === undefined ? {} : { sessionId });
  const chat = disposables.add(new ChatStore(open, onListenerError));
  disposables.add(chat.onChange((change) => change.kind === 'shown' && view.setSession(change.state.sessionId)));
  const ends = disposables.add(new SeenEnds(onListenerError));
  const announcer = new Announcer();
  return {
    chat,
    view,
    failures,
    announcer,
    ends,
    chats: chatActions(request, chat, failures),
    run: runActions(request, chat, failures),
    sessions: sessionActions(request, chat, failures),
    setup: setupActions(request, chat, failures),
    parts: disposables.add(new OpenParts()),
    attach: attachActions(request, { view, failures, announcer }),
    approvals: approvalActions(request, { chat, failures, ends }),
    review: reviewActions(request, chat, failures),
    editor: editorActions(request, failures),
    highlighter: disposables.add(new Highlighter()),
    dispose: () => disposables.dispose(),
  };
}
