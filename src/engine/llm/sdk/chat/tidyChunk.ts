import { isRecord } from '../../../../base/isRecord';
import { argumentsText, countsIn } from '../oddForms';

/**
 * Returns a chunk that is not in the usual form, as some hosts send it, in that form: arguments as an object, IDs as numbers,
 * indexes as text, text and thinking as lists of parts, and usage that is no count. Anything else stays as it is.
 */
export function tidyChunk(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { choices, usage } = value;
  return { ...value, usage: countsIn(usage), ...(Array.isArray(choices) && { choices: choices.map(tidyChoice) }) };
}

function tidyChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return choice;
  const { delta, finish_reason: reason } = choice;
  return { ...choice, delta: isRecord(delta) ? tidyDelta(delta) : delta, finish_reason: textOf(reason) };
}

function tidyDelta({ content, tool_calls: calls, ...rest }: Record<string, unknown>): unknown {
  return {
    reasoning_content: textOf(rest['reasoning_content']) ?? thoughtIn(content),
    reasoning: textOf(rest['reasoning']),
    refusal: textOf(rest['refusal']),
    content: Array.isArray(content) ? wordsIn(content) : content,
    tool_calls: Array.isArray(calls) ? calls.map(tidyCall) : calls,
  };
}

function tidyCall(call: unknown): unknown {
  if (!isRecord(call)) return call;
  const { index, id, function: given } = call;
  const place = index === null || index === '' ? NaN : Number(index);
  return {
    ...call,
    index: Number.isInteger(place) ? place : undefined,
    id: typeof id === 'number' ? String(id) : textOf(id),
    function: isRecord(given) ? { ...given, arguments: argumentsText(given['arguments']) } : given,
  };
}

/** Mistral: text and thinking as parts. Parts of other types, such as references, are left out. */
function wordsIn(parts: readonly unknown[]): string {
  return parts.map((part) => (isRecord(part) ? (textOf(part['text']) ?? '') : (textOf(part) ?? ''))).join('');
}

function thoughtIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: unknown) => {
      const thought = isRecord(part) ? part['thinking'] : undefined;
      return Array.isArray(thought) ? wordsIn(thought) : (textOf(thought) ?? '');
    })
    .join('');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
