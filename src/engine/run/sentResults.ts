import * as z from '../../base/zod';
import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/deferred';
import { EngineError } from '../engineError';
import { imageSchema } from '../messages/attachment';
import type { ToolOutput } from '../tools/toolOutput';
import { ToolFailure } from '../tools/toolFailure';

const sentSchema = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({
      /** For the model. */
      text: z.string(),
      /** Pictures for a model that sees. */
      images: z.exactOptional(z.array(imageSchema)),
      /** It could not be done; `text` says why and what to do instead. */
      failed: z.exactOptional(z.boolean()),
    }),
  ]),
);
/** What came of a call whose tool answers later. */
export type SentResult = z.infer<typeof sentSchema>;

/** The calls of a run whose tools answer later: which of them wait, and what they are sent. */
export class SentResults {
  private readonly waiting = new Map<string, Deferred<ToolOutput>>();
  private readonly answered = new Set<string>();

  /** From now on a result is taken for the call, which is about to begin. */
  expect(callId: string): Deferred<ToolOutput> {
    const sent = new Deferred<ToolOutput>();
    // One that failed while the tool was still beginning is heard of in `around`.
    sent.promise.catch(() => undefined);
    this.answered.delete(callId);
    this.waiting.set(callId, sent);
    return sent;
  }

  /** From now on none is. */
  close(callId: string): void {
    this.waiting.delete(callId);
    this.answered.add(callId);
  }

  /**
   * Does `begin`, and waits for the result that is sent for the call unless `begin` gives one. What was sent by then counts
   * rather than what it gives. Rejects like `begin`, with ToolFailure when it was sent that the call failed, and with AbortError.
   */
  async around(callId: string, signal: AbortSignal, begin: () => Promise<ToolOutput | undefined>): Promise<ToolOutput> {
    const sent = this.waiting.get(callId) ?? this.expect(callId);
    try {
      const given = await begin();
      if (given && !this.answered.has(callId)) return given;
      return await untilAborted(sent.promise, signal);
    } finally {
      this.close(callId);
    }
  }

  /** Throws EngineError `invalid-input` when the result does not fit, `invalid-state` and `not-found` when no such call waits. */
  send(callId: string, result: SentResult): void {
    const { data, error } = sentSchema.safeParse(result);
    if (error) {
      const hint = 'Send a text, or { text, images?, failed? }.';
      throw new EngineError('invalid-input', `The result of ${callId} is not valid: ${z.misfit(error)}. ${hint}`);
    }
    if (this.answered.has(callId)) {
      const text = `The call ${callId} already has a result, or was stopped. It takes no more.`;
      throw new EngineError('invalid-state', text);
    }
    const sent = this.waiting.get(callId);
    if (!sent) {
      const hint = 'Send it to the run that made the call, after `tool-started`, for a tool with `answersLater`.';
      throw new EngineError('not-found', `No call ${callId} in this run is waiting for a result. ${hint}`);
    }
    this.answered.add(callId);
    const { failed, ...output } = typeof data === 'string' ? { text: data } : data;
    if (failed) sent.reject(new ToolFailure('failed', output.text));
    else sent.resolve(output);
  }
}
