import { isDeepStrictEqual } from 'node:util';
import * as z from '../base/zod';
import { AbortError, untilAborted } from '../base/abort';
import { errorText } from '../base/errorText';
import type { ApprovalAnswer, ApprovalHandler, ApprovalRequest, Log } from '../engine';

const proposal = { contents: z.exactOptional(z.string()), basedOn: z.exactOptional(z.string()) };
const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once'), ...proposal }),
  z.strictObject({ kind: z.literal('always'), offer: z.unknown(), ...proposal }),
  z.strictObject({
    kind: z.literal('reject'),
    reason: z.exactOptional(z.string()),
    by: z._default(z.enum(['person', 'nobody']), 'person'),
  }),
]);

/**
 * What a program answers approvals with may be anything, whatever its type says: only what is known to be a yes allows a call.
 * What throws or does not fit refuses it, with the reason, and is logged.
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
  const { data } = answerSchema.safeParse(given);
  if (!data) throw new TypeError('its answer is none; give { kind: "once" }, "always" with an offer, or "reject"');
  if (data.kind !== 'always') return data;
  const offer = offers.find((one) => isDeepStrictEqual(one, data.offer));
  if (!offer) throw new TypeError('its answer "always" has none of the offers of the request');
  return { ...data, offer };
}
