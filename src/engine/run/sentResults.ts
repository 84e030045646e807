import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import { imageSchema } from '../messages/attachment';
import { ToolFailure, type ToolOutput } from '../tools/toolOutput';

const sentSchema = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({
      /** For the model. */
      text: z.string(),
      /** Images for a model with vision. */
      images: z.exactOptional(z.array(imageSchema)),
      /** The call failed; `text` says why and what to do instead. */
      failed: z.exactOptional(z.boolean()),
    }),
  ]),
);
/** The result of a call whose tool answers later. */
export type SentResult = z.infer<typeof sentSchema>;

/** Matches results that are sent to a run with those of its calls that are waiting for one. */
export class SentResults {
  private readonly waiting = new Map<string, Deferred<ToolOutput>>();
  private readonly answered = new Set<string>();

  /** Accepts a result for the call, which is about to begin, from now on. */
  expect(callId: string): Deferred<ToolOutput> {
    const sent = new Deferred<ToolOutput>();
    // A failure sent while the tool is still starting is handled in `around`.
    sent.promise.catch(() => undefined);
    this.answered.delete(callId);
    this.waiting.set(callId, sent);
    return sent;
  }

  /** Accepts no more results for the call. */
  close(callId: string): void {
    this.waiting.delete(callId);
    this.answered.add(callId);
  }

  /**
   * Runs `begin`, and waits for the result sent for the call unless `begin` returns one. A result sent by then takes precedence
   * over it. Rejects as `begin` does, with ToolFailure if a failure was sent, and with AbortError.
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

  /**
   * Throws EngineError `invalid-input` if the result is not valid, `invalid-state` if the call has a result or was stopped, and
   * `not-found` if no such call is waiting.
   */
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
