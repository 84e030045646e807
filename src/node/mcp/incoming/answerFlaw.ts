import { isRecord } from '../../../base/isRecord';

/** A JSON object that a server sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The error code of an answer that takes the place of a malformed one. Servers may use it too: nothing but the wording depends on it. */
export const MALFORMED = -32_700;

export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && !Array.isArray(value);
}

/** Returns what is wrong with an answer, to follow "an answer"; undefined if nothing obvious is. */
export function answerFlaw(answer: JsonObject): string | undefined {
  const { result, error } = answer;
  const [hasResult, hasError] = ['result' in answer, 'error' in answer];
  if (answer['jsonrpc'] !== '2.0') return 'that is not marked as JSON-RPC 2.0';
  if (hasResult && hasError) return 'with both a result and an error';
  if (hasResult) return isJsonObject(result) ? undefined : `whose result is ${kindOf(result)}, not an object`;
  if (!hasError) return 'with neither a result nor an error';
  if (!isJsonObject(error)) return `whose error is ${kindOf(error)}, not an object`;
  if (!Number.isInteger(error['code'])) return `whose error has no code${said(error)}`;
  return typeof error['message'] === 'string' ? undefined : 'whose error has no message';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'a number' : 'true or false';
}

function said({ message }: JsonObject): string {
  return typeof message === 'string' ? ` (“${message}”)` : '';
}
