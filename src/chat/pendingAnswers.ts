import { AbortError } from '../base/abort';
import { Deferred } from '../base/deferred';

/** Requests that wait for the user. The first answer wins; aborted requests are dropped. */
export class PendingAnswers<Request extends { id: string }, Answer> {
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
