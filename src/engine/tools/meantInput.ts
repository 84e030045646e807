import type * as z from 'zod';
import { isRecord } from '../../base/isRecord';
import { DEEPEST, nesting } from '../messages/nesting';

const WORDS = ['content', 'text', 'title', 'todo', 'task', 'step', 'description'];

type Issue = z.core.$ZodIssue;

/**
 * What a model meant with values of another kind than was asked for, where that leaves no doubt: a number as text or a text
 * as a number, a list as JSON in a text, null for what is left out. Undefined when nothing of it can be told.
 */
export function meantInput(input: unknown, issues: readonly Issue[]): unknown {
  if (!isRecord(input)) return undefined;
  const copy: unknown = structuredClone(input);
  const mended = issues.filter((issue) => issue.code === 'invalid_type' && mend(copy, issue.path, issue.expected));
  return mended.length > 0 ? copy : undefined;
}

/** True when it put something else in the place. */
function mend(root: unknown, path: readonly PropertyKey[], expected: string): boolean {
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), root);
  const key = path.at(-1);
  if (!isRecord(owner) || key === undefined) return false;
  const value = owner[String(key)];
  if (value === null) return Reflect.deleteProperty(owner, key);
  const meant = meantValue(value, expected, Array.isArray(owner));
  return meant !== undefined && Reflect.set(owner, key, meant);
}

function meantValue(value: unknown, expected: string, isItem: boolean): unknown {
  if (expected === 'string') return typeof value === 'number' ? String(value) : isItem ? wordsOf(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (expected === 'number' || expected === 'int') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return expected === 'array' || expected === 'object' ? parsed(text) : undefined;
}

/** A step as an object, as other tools take it: its words alone. */
function wordsOf(value: unknown): string | undefined {
  if (!isRecord(value) || Array.isArray(value)) return undefined;
  const words = WORDS.map((key) => value[key]).filter((one) => typeof one === 'string' && one !== '');
  return typeof words[0] === 'string' ? words[0] : undefined;
}

function parsed(text: string): unknown {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
