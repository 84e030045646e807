import { firstCodeBlock } from '../../../base/firstCodeBlock';
import { clipEnd } from '../../../base/truncate';
import { DEEPEST, nesting } from '../../messages/nesting';
import { schemaMistakes } from '../../tools/schemaMistakes';
import type { GraphDesk, Used } from '../desk';
import type { GraphBudget, JsonObject, JsonValue } from '../graph';
import { parseJson } from '../jsonValue';
import type { Account } from './accounts';

/** How often a model is asked again for a valid answer. */
const REPAIRS = 2;
/** Maximum number of mistakes reported to the model at once. */
const MOST_MISTAKES = 8;

const SYSTEM =
  'You turn a text into one JSON value that fits a JSON Schema. Answer with the JSON alone, without a code block and without words around it. Keep to the types, give every required key, and take what you write from the text: what it does not say is null where the schema allows that.';

interface Asked {
  readonly node: string;
  readonly model?: string;
  readonly schema: JsonObject;
  /** The node's account; further requests are only made within its budget. */
  readonly account: Account;
  readonly budget: GraphBudget | undefined;
}

/**
 * Converts a text to a value that matches the schema: parsed from the text, or requested from the model together with the
 * remaining mistakes. Rejects if it still does not match.
 */
export async function structured(
  text: string,
  { schema, account, budget, ...asked }: Asked,
  desk: Pick<GraphDesk, 'askModel'>,
  signal: AbortSignal,
): Promise<{ value: JsonValue }> {
  let read = readFitting(text, schema);
  for (let repair = 0; typeof read === 'string' && repair < REPAIRS; repair++) {
    const said = `The schema:\n${JSON.stringify(schema)}\n\nThe text:\n${text}\n\nWhat does not fit yet: ${read}`;
    account.left(budget);
    await account.keep();
    const spend = (used: Used) => account.spend(used);
    const question = { ...asked, system: SYSTEM, text: said, outputSchema: schema, spend };
    read = readFitting((await desk.askModel(question, signal)).text, schema);
  }
  if (typeof read !== 'string') return read;
  throw new Error(`The answer does not fit the output_schema: ${read} It began: ${clipEnd(text.trim(), 200)}`);
}

/** Returns the value, or its mistakes as sentences. */
export function readFitting(text: string, schema: JsonObject): { value: JsonValue } | string {
  const value = jsonIn(text);
  if (value === undefined) return 'It is not JSON.';
  const mistakes = schemaMistakes(value, schema);
  return mistakes.length === 0 ? { value } : mistakes.slice(0, MOST_MISTAKES).join(' ');
}

function jsonIn(text: string): JsonValue | undefined {
  for (const one of [text, firstCodeBlock(text)]) {
    if (nesting(one).deepest > DEEPEST) continue;
    const value = parseJson(one);
    if (value !== undefined) return value;
  }
  return undefined;
}
