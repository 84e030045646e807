import * as z from '../base/zod';
import { AbortError, untilAborted } from '../base/abort';
import { errorText } from '../base/errorText';
import { EngineError, type QuestionAnswer, type UserPrompter } from '../engine';

const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answered'), texts: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('nobody') }),
]);

/**
 * What a program answers questions with may be anything, whatever its type says. Rejects with EngineError `invalid-input` that
 * says what is wrong with it, and with AbortError.
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
  const { data } = answerSchema.safeParse(given);
  if (data) return data;
  throw new TypeError('its answer is none; give { kind: "answered", texts: ["…"] } or { kind: "nobody" }');
}
