import { AbortError } from '../base/abort';
import { Deferred } from '../base/async';
import { type Disposable, Emitter } from '../base/disposable';
import { errorText } from '../base/errors';
import { t } from '../base/l10n';
import type {
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalRequest,
  EditedProposal,
  Log,
  Question,
  QuestionAnswer,
  UserPrompter,
} from '../engine';
import type { ChatApprovalAnswer } from '../protocol/hostApi';

/** Lets the user see what an edit would change, choose among its parts, and modify it. */
interface ProposalReview {
  onChange(listener: () => void): Disposable;
  open(request: ApprovalRequest, options: { preserveFocus: boolean }): Promise<void>;
  close(request: ApprovalRequest): Promise<void>;
  choosePart(request: ApprovalRequest, part: number, take: boolean): Promise<void>;
  /** Indexes of the parts that were left out. */
  leftOut(request: ApprovalRequest): readonly number[];
  /** The user's version of the proposal. Throws with a message for the user if it cannot be determined. */
  answerFor(request: ApprovalRequest): EditedProposal;
}

interface PartsChange {
  sessionId: string;
  approvalId: string;
  leftOut: readonly number[];
}

/** Shows approvals as cards in the panel, and edits also as diffs in the editor. Waits as long as the run does. */
export class ChatApprovalHandler implements ApprovalHandler {
  private readonly partsChanged: Emitter<PartsChange>;
  private readonly toldParts = new Map<string, string>();
  private readonly pending = new PendingAnswers<ApprovalRequest, ApprovalAnswer>();

  constructor(
    private readonly diffs: ProposalReview,
    private readonly opensDiffByItself: () => boolean,
    private readonly log: Log,
  ) {
    this.partsChanged = new Emitter((error) => log.error('The parts of an edit could not be shown on its card', error));
    // The subscription lives as long as `diffs`.
    diffs.onChange(() => this.tellParts());
  }

  /** Calls the listener when parts of a pending edit are taken or left out. */
  onPartsChanged(listener: (change: PartsChange) => void): Disposable {
    return this.partsChanged.on(listener);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (this.opensDiffByItself()) {
      this.diffs.open(request, { preserveFocus: true }).catch((error: unknown) => this.diffFailed(error));
    }
    return this.answered(request, signal);
  }

  /** Like `ask`, for a request that is already shown to the user. */
  async answered(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      return await this.pending.wait(request, signal);
    } finally {
      this.toldParts.delete(request.id);
      // Close the diff before anything is written, so that the file is not open in a view that is about to disappear.
      await this.diffs.close(request).catch((error: unknown) => this.diffFailed(error));
    }
  }

  get(id: string): ApprovalRequest | undefined {
    return this.pending.get(id);
  }

  /** Throws if the request was already answered or its run is over. */
  answer(id: string, chosen: ChatApprovalAnswer): void {
    this.pending.answer(id, this.toAnswer(this.waiting(id), chosen));
  }

  /** Takes a part of a pending edit or leaves it out. */
  async choosePart(id: string, part: number, take: boolean): Promise<void> {
    await this.diffs.choosePart(this.waiting(id), part, take);
  }

  async openDiff(id: string): Promise<void> {
    const request = this.waiting(id);
    await this.diffs.open(request, { preserveFocus: false });
  }

  private waiting(id: string): ApprovalRequest {
    const request = this.pending.get(id);
    if (!request) throw new Error(t('This was already answered, or its run is over.'));
    return request;
  }

  private tellParts(): void {
    for (const request of this.pending.requests) {
      const leftOut = this.diffs.leftOut(request);
      const now = leftOut.join();
      if (now === (this.toldParts.get(request.id) ?? '')) continue;
      this.toldParts.set(request.id, now);
      this.partsChanged.emit({ sessionId: request.sessionId, approvalId: request.id, leftOut });
    }
  }

  private toAnswer(request: ApprovalRequest, chosen: ChatApprovalAnswer): ApprovalAnswer {
    if (chosen.kind === 'reject') {
      return { kind: 'reject', by: 'person', ...(chosen.reason && { reason: chosen.reason }) };
    }
    const edited = this.diffs.answerFor(request);
    if (chosen.kind === 'once') return { kind: 'once', ...edited };
    const offer = request.offers[chosen.option];
    if (!offer) throw new Error(t('That rule is not among those offered.'));
    return { kind: 'always', offer, ...edited };
  }

  /** The card is enough to decide on, so a diff that fails to open or close must not stop the run. */
  private diffFailed(error: unknown): void {
    this.log.error(`The diff of a proposed edit: ${errorText(error)}`, error);
  }
}

/** Shows questions as cards in the panel. Waits as long as the run does. */
export class ChatUserPrompter implements UserPrompter {
  private readonly pending = new PendingAnswers<Question, QuestionAnswer>();

  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.pending.wait(question, signal);
  }

  /** Throws if the question was already answered or its run is over. */
  answer(id: string, texts: readonly string[]): void {
    const known = this.pending.answer(id, { kind: 'answered', texts });
    if (!known) throw new Error(t('This question was already answered, or its run is over.'));
  }
}

/** Requests that wait for the user. The first answer wins; aborted requests are dropped. */
class PendingAnswers<Request extends { id: string }, Answer> {
  private readonly waiting = new Map<string, { request: Request; answer: Deferred<Answer> }>();

  get requests(): readonly Request[] {
    return [...this.waiting.values()].map(({ request }) => request);
  }

  get(id: string): Request | undefined {
    return this.waiting.get(id)?.request;
  }

  /** Rejects with AbortError if the signal aborts. */
  async wait(request: Request, signal: AbortSignal): Promise<Answer> {
    const answer = new Deferred<Answer>();
    const stop = () => answer.reject(new AbortError());
    this.waiting.set(request.id, { request, answer });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.waiting.delete(request.id);
    }
  }

  /** Returns false if no request with that id is pending. */
  answer(id: string, answer: Answer): boolean {
    const waiting = this.waiting.get(id);
    waiting?.answer.resolve(answer);
    return waiting !== undefined;
  }
}
