import { isRecord } from '../../../../base/isRecord';

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
    function: isRecord(given) ? { ...given, arguments: argumentsOf(given['arguments']) } : given,
  };
}

function argumentsOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
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

/** Keeps the counts, which may be in a group one level down. */
function countsIn(usage: unknown, depth = 0): unknown {
  if (!isRecord(usage)) return undefined;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [
      name,
      isRecord(value) && depth === 0 ? countsIn(value, 1) : countOf(value),
    ]),
  );
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'number' || typeof value === 'string' ? Math.round(Number(value)) : NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}
