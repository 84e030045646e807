import { isDeepStrictEqual } from 'node:util';
import { AbortError, untilAborted } from '../base/abort';
import { errorText } from '../base/errorText';
import * as z from '../base/zod';
import {
  type ApprovalAnswer,
  type ApprovalHandler,
  type ApprovalRequest,
  EngineError,
  type Log,
  type QuestionAnswer,
  type UserPrompter,
} from '../engine';

const proposal = { contents: z.exactOptional(z.string()), basedOn: z.exactOptional(z.string()) };
const approvalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once'), ...proposal }),
  z.strictObject({ kind: z.literal('always'), offer: z.unknown(), ...proposal }),
  z.strictObject({
    kind: z.literal('reject'),
    reason: z.exactOptional(z.string()),
    by: z._default(z.enum(['person', 'nobody']), 'person'),
  }),
]);

/**
 * Wraps an approval handler of a program, whose answers may be anything regardless of their type: only a recognized yes allows a
 * call. An answer that throws or is invalid rejects the call with the reason and is logged.
 */
export function checkedApprovals(handler: ApprovalHandler, log: Log): ApprovalHandler {
  return {
    async ask(request, signal) {
      try {
        return answerTo(request, await untilAborted(Promise.resolve(handler.ask(request, signal)), signal));
      } catch (error) {
        if (signal.aborted) throw new AbortError();
        const failed = `The approval handler of the program failed: ${errorText(error).replace(/\.$/, '')}.`;
        log.error(failed, error);
        return { kind: 'reject', by: 'nobody', reason: failed };
      }
    },
  };
}

function answerTo({ offers }: ApprovalRequest, given: unknown): ApprovalAnswer {
  const { data } = approvalSchema.safeParse(given);
  if (!data)
    throw new TypeError('its answer is not valid; return { kind: "once" }, "always" with an offer, or "reject"');
  if (data.kind !== 'always') return data;
  const offer = offers.find((one) => isDeepStrictEqual(one, data.offer));
  if (!offer) throw new TypeError('its answer "always" names none of the request’s offers');
  return { ...data, offer };
}

const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answered'), texts: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('nobody') }),
]);

/**
 * Wraps a prompter of a program, whose answers may be anything regardless of their type. Rejects with EngineError `invalid-input`
 * saying what is wrong with the answer, and with AbortError.
 */
export function checkedPrompter(prompter: UserPrompter): UserPrompter {
  return {
    ...(prompter.isNobody !== undefined && { isNobody: prompter.isNobody }),
    async ask(question, signal) {
      try {
        return answerOf(await untilAborted(Promise.resolve(prompter.ask(question, signal)), signal));
      } catch (error) {
        if (signal.aborted) throw new AbortError();
        const why = errorText(error).replace(/\.$/, '');
        const text = `The prompter of the program failed: ${why}. Go on without an answer, and say so.`;
        throw new EngineError('invalid-input', text, { cause: error });
      }
    },
  };
}

function answerOf(given: unknown): QuestionAnswer {
  const { data } = questionSchema.safeParse(given);
  if (data) return data;
  throw new TypeError('its answer is not valid; return { kind: "answered", texts: ["…"] } or { kind: "nobody" }');
}
