import { composerBox, focusComposer, focusedElement, isTextBox } from '../ui/focus';
import type { Panel } from '../panel';
import type { ChatStore } from '../store/chatStore';
import { firstWaiting } from '../store/selectors';
import type { ViewState } from '../store/viewState';
import type { TranscriptList } from '../transcript/transcriptList';

/**
 * Answers the focused request, or else the oldest one, in response to a key. A request the user cannot have read is shown instead
 * of answered. Returns false if no request is pending.
 */
export function answerWaiting(
  kind: 'once' | 'reject',
  { chat, approvals, view }: Panel,
  transcript: TranscriptList,
): boolean {
  const { state } = chat;
  const waiting = state && firstWaiting(state);
  const approvalId = focusedApproval() ?? (waiting?.kind === 'approval' ? waiting.id : undefined);
  const approval = state?.approvals.find((one) => one.approvalId === approvalId);
  if (!approval) return false;
  const unseen = transcript.unseenOf(approval.approvalId, kind);
  if (unseen === 'end') {
    transcript.showEnd([approval.approvalId]);
    return true;
  }
  if (unseen === 'all') {
    if (!transcript.isInView(approval.entryId)) transcript.goTo(approval.entryId);
    return true;
  }
  void approvals.answer(approval.approvalId, { kind }).then((isTaken) => {
    if (isTaken) whenGone(approval.approvalId, chat, () => goOn(view, transcript));
  });
  return true;
}

function whenGone(approvalId: string, chat: ChatStore, act: () => void): void {
  const isGone = () => chat.state?.approvals.every((one) => one.approvalId !== approvalId) === true;
  if (isGone()) return act();
  const listening = chat.onChange(({ kind }) => {
    if (kind === 'folded' && !isGone()) return;
    listening.dispose();
    if (kind === 'folded') act();
  });
}

/** Moves to the next pending request, or else to the message box. A half-typed message keeps the focus. */
function goOn(view: ViewState, transcript: TranscriptList): void {
  const isTyping =
    isTextBox(focusedElement()) && !(document.activeElement === composerBox() && view.draft('message') === '');
  if (isTyping || !document.hasFocus()) return;
  if (!transcript.goToWaiting()) focusComposer();
}

export function focusedApproval(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-approval-id]')?.dataset['approvalId'];
}
