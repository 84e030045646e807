import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { Question, QuestionAnswer } from '../../../src/engine';
import { aMoment } from '../../support/aMoment';

/** A user who answers when the test says so. */
export class Person {
  /** All questions so far, in order. */
  readonly asked: string[] = [];
  private readonly open = new Map<string, Deferred<QuestionAnswer>>();

  readonly answer = async ({ question }: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
    const reply = new Deferred<QuestionAnswer>();
    this.asked.push(question);
    this.open.set(question, reply);
    try {
      return await untilAborted(reply.promise, signal);
    } finally {
      if (this.open.get(question) === reply) this.open.delete(question);
    }
  };

  /** The texts of the unanswered questions, sorted. */
  get waiting(): string[] {
    return [...this.open.keys()].toSorted();
  }

  async untilAsked(...questions: readonly string[]): Promise<void> {
    while (!questions.every((one) => this.open.has(one))) await aMoment();
  }

  async reply(question: string, text: string): Promise<void> {
    await this.untilAsked(question);
    this.open.get(question)?.resolve({ kind: 'answered', texts: [text] });
  }
}
