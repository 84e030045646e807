import { isRecord } from '../../base/isRecord';
import { nearest } from '../../base/matching';
import { unseenLines } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import type { ContentProblem } from './contentProblem';
import type { YamlSource } from './yamlSource';

interface Checked<T> {
  /** Undefined if the problems include an error. */
  value: T | undefined;
  problems: ContentProblem[];
}

type UnknownKeys = 'error' | 'warning' | 'note' | 'misspelt';

interface CheckOptions {
  /**
   * How unknown keys are reported: as an error in Cairn's own formats; in those of other tools as a warning, or as a note unless
   * the key resembles a known one or sounds like a limit; `misspelt`: as an error only if the key resembles a known one.
   */
  unknownKeys?: UnknownKeys;
  /**
   * For files written for another tool: the keys that restrict what it may do. An invalid value of any other key is dropped with
   * a warning. Without `limits`, nothing is dropped, and with `misspelt`, a key without a value counts as null.
   */
  limits?: readonly string[];
}

/** Validates a file against a strict schema. Each issue becomes a problem with its position and a hint. */
export function checkContent<T>(
  source: YamlSource,
  schema: z.ZodMiniType<T>,
  { unknownKeys = 'error', limits }: CheckOptions = {},
): Checked<T> {
  const { problems: told } = source;
  if (told.some(isError)) return { value: undefined, problems: told };
  const isOwn = unknownKeys === 'error' || (unknownKeys === 'misspelt' && !limits);
  const data = (isOwn ? source.data : withoutEmpty(source.data)) ?? {};
  const first = schema.safeParse(data);
  if (first.success) return { value: first.data, problems: told };
  const unfit = limits ? unfitKeys(first.error.issues, limits) : [];
  const issues = first.error.issues.map((issue) => ({ issue, isLeftOut: unfit.includes(String(issue.path[0])) }));
  const problems = issues
    .flatMap(({ issue, isLeftOut }) => {
      const found = problemsOf(issue, source, schema, unknownKeys);
      return isLeftOut ? found.map(leftOut) : found;
    })
    .concat(told)
    .sort((a, b) => a.line - b.line || a.column - b.column);
  if (problems.some(isError)) return { value: undefined, problems };
  const fitting = without(withoutUnknown(data, first.error.issues), unfit);
  const second = schema.safeParse(fitting);
  return { value: second.success ? second.data : undefined, problems };
}

const isError = ({ severity }: ContentProblem) => severity === 'error';

/** Returns the keys whose invalid values can be dropped. */
function unfitKeys(issues: readonly Issue[], limits: readonly string[]): string[] {
  const keys = issues
    .filter(({ code, path }) => code !== 'unrecognized_keys' && path.length > 0)
    .map(({ path }) => path[0]);
  return keys.map(String).filter((key) => !limits.includes(key));
}

function leftOut(problem: ContentProblem): ContentProblem {
  return { ...problem, severity: 'warning', message: `${problem.message} It is left out.` };
}

function without(data: unknown, keys: readonly string[]): unknown {
  if (!isRecord(data) || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));
}

type Issue = z.core.$ZodIssue;
type Said = Pick<ContentProblem, 'message' | 'meant' | 'remedies'>;

function problemsOf(
  issue: Issue,
  source: YamlSource,
  schema: z.ZodMiniType,
  unknownKeys: UnknownKeys,
): ContentProblem[] {
  const problem = (where: readonly PropertyKey[], part: 'key' | 'value', said: Said): ContentProblem => ({
    kind: 'schema',
    severity: 'error',
    path: source.path,
    ...source.position(where, part),
    ...said,
  });
  if (issue.code !== 'unrecognized_keys') {
    return mostTelling(issue).map((told) => problem(told.path, 'value', worded(told, valueAt(source.data, told.path))));
  }
  const known = schemaKeys(schema, issue.path);
  return issue.keys.map((key) => {
    const meant = meantKey(key, known);
    const noEffect = unknownKeys === 'note' ? 'It has no effect in Cairn.' : 'It has no effect here. Remove it.';
    const hint = meant === undefined ? noEffect : `Did you mean “${meant}”?`;
    const message = `Unknown key “${key}”${inside(issue.path)}. ${hint}`;
    const removed: ContentProblem['remedies'] = [{ kind: 'remove', where: [...issue.path, key] }];
    const said: Said =
      meant === undefined ? { message, remedies: removed } : { message, meant: { written: key, instead: meant } };
    return {
      ...problem([...issue.path, key], 'key', said),
      severity: severityOf(unknownKeys, key, meant !== undefined),
    };
  });
}

/**
 * Never suggests the opposite: `disallowed-tools` is not a typo of `allowed-tools`. The latter is what commands call an agent's
 * `tools`, and an agent that lists none has all tools.
 */
function meantKey(key: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (plain(key) === 'allowedtools' && known.includes('tools') && !known.includes('allowed-tools')) return 'tools';
  const isOpposite = (name: string) => plain(name) === `dis${plain(key)}` || plain(key) === `dis${plain(name)}`;
  return nearest(
    key,
    known.filter((name) => !isOpposite(name)),
  );
}

/** Keys that sound like a limit, which an author may rely on. */
const RESTRICTS = /^(?:tools|(?:dis)?allowed|den(?:y|ied)|blocked|permission|read[-_]?only|sandbox)/i;

/** A probable typo, and a limit that is not kept, matter more than a key of another program. */
function severityOf(unknownKeys: UnknownKeys, key: string, isMisspelt: boolean): ContentProblem['severity'] {
  if (unknownKeys === 'misspelt') return isMisspelt ? 'error' : 'warning';
  return unknownKeys === 'note' && (isMisspelt || RESTRICTS.test(key)) ? 'warning' : unknownKeys;
}

/** For a union, returns the issues of the branch that fits best: the one that failed at the deepest path. */
function mostTelling(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const branches = issue.errors.map((branch) =>
    branch.flatMap((one) => mostTelling({ ...one, path: [...issue.path, ...one.path] })),
  );
  const depthOf = (branch: readonly Issue[]) => Math.max(...branch.map(({ path }) => path.length));
  const [best] = [...branches].sort((a, b) => depthOf(b) - depthOf(a));
  if (best && depthOf(best) > issue.path.length) return best;
  const ways = [
    ...new Set(branches.flatMap((branch) => branch.slice(0, 1)).map(({ message }) => plainMessage(message))),
  ];
  return [{ ...issue, code: 'custom', message: oneOfThese(ways) || issue.message }];
}

/** `expected string, received number` and `expected array, received number` → `expected string or array, received number`. */
function oneOfThese(ways: readonly string[]): string {
  const parts = ways.map((way) => /^expected (.+), received (.+)$/.exec(way));
  const received = parts[0]?.[2];
  if (received === undefined || parts.some((part) => part?.[2] !== received)) {
    return ways.join(', or ').replaceAll('or expected', 'or');
  }
  return `expected ${parts.map((part) => part?.[1]).join(' or ')}, received ${received}`;
}

function worded(issue: Issue, value: unknown): Said {
  const where = issue.path.length > 0 ? `“${issue.path.map(String).join('.')}”: ` : '';
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const meant = typeof value === 'string' ? nearest(value, choices) : undefined;
  const message = `${where}${plainMessage(issue.message).replace(/\.?$/, '.')}${quotesHint(issue, value)}`;
  if (typeof value !== 'string' || meant === undefined) return { message };
  return { message: `${message} Did you mean “${meant}”?`, meant: { written: value, instead: meant } };
}

/** Adds a hint for text that YAML parses as something else, such as `- Explain: the code` or `007`. */
function quotesHint(issue: Issue, value: unknown): string {
  const isType = issue.code === 'invalid_type' && issue.expected === 'string';
  if (!isType && !(issue.code === 'custom' && issue.message.startsWith('expected string '))) return '';
  const isColonText = isRecord(value) && !Array.isArray(value) && Object.keys(value).length === 1;
  return isColonText || typeof value === 'number' || typeof value === 'boolean' ? ' Put the text in quotes.' : '';
}

/** Removes wording specific to the schema library. */
export function plainMessage(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): /, '')
    .replace(/^Too small: expected string to have >=1 characters$/, 'must not be empty')
    .replace(/^expected int, received \w+$/, 'must be a whole number')
    .replace(/^Too big: expected \w+ to be <=/, 'must be at most ')
    .replace(/^Too small: expected \w+ to be >=/, 'must be at least ')
    .replace(/^Too small: expected \w+ to be >/, 'must be more than ')
    .replace(/expected (?:record|object)/, 'expected a map')
    .replace('received object', 'received a map')
    .replaceAll('"', '')
    .replaceAll('|', ', ');
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), data);
}

function inside(path: readonly PropertyKey[]): string {
  return path.length > 0 ? ` in “${path.map(String).join('.')}”` : '';
}

/** Other tools treat a key without a value as absent. */
function withoutEmpty(data: unknown): unknown {
  if (!isRecord(data) || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

function withoutUnknown(data: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(data);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const owner = valueAt(copy, issue.path);
    if (isRecord(owner)) for (const key of issue.keys) Reflect.deleteProperty(owner, key);
  }
  return copy;
}

/** Returns a note for each present key that only matters to other programs, such as how they display content or where they run it. */
export function notesOn(
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  yaml: YamlSource,
): ContentProblem[] {
  return keys
    .filter((key) => value[key] !== undefined)
    .map((key) => ({
      kind: 'schema',
      severity: 'note',
      path: yaml.path,
      ...yaml.position([key], 'key'),
      message: `“${key}” is for other programs and has no effect in Cairn.`,
    }));
}

/** Returns the note for documentation in a folder of agents or commands. */
export function forPeople(path: string): ContentProblem {
  return fileNote(path, 'This has no front matter, so it was taken for documentation and left out.');
}

/** Returns a note about a file as a whole. */
export function fileNote(path: string, message: string): ContentProblem {
  return { kind: 'schema', severity: 'note', path, line: 1, column: 1, message };
}

/** Returns the problem for front matter that is missing or not closed. */
export function noFrontMatter(path: string, unclosed: boolean): ContentProblem {
  const message = unclosed
    ? 'The front matter is not closed. End it with a line of three dashes.'
    : 'An agent starts with front matter: a line of three dashes, its settings, and another line of three dashes.';
  return { kind: 'parse', severity: 'error', path, line: 1, column: 1, message };
}

/** Returns warnings for text that models read but people cannot see: most editors do not highlight it in Markdown. */
export function unseenProblems(path: string, text: string): ContentProblem[] {
  return unseenLines(text).map(({ line, column, marks }) => ({
    kind: 'schema',
    severity: 'warning',
    path,
    line,
    column,
    message: `This contains text that models read but people cannot see: ${marks}. Remove it, or do not use this file.`,
  }));
}

type Schema = z.AnySchema;

/** Returns the keys of an object schema at a path; none if it is not an object. */
export function schemaKeys(schema: Schema, where: readonly PropertyKey[]): string[] {
  return schemasAt(schema, where).flatMap((one) => (one instanceof z.AnyObject ? Object.keys(one._zod.def.shape) : []));
}

/** Returns the fixed values that a schema allows at a path. */
export function schemaChoices(schema: Schema, where: readonly PropertyKey[]): string[] {
  const found = schemasAt(schema, where).flatMap((one) => {
    if (one instanceof z.AnyEnum) return Object.values(one._zod.def.entries).map(String);
    return one instanceof z.AnyBoolean ? ['true', 'false'] : [];
  });
  return [...new Set(found)];
}

/** Whether a value at a path may be a list, a map, or neither. */
export function schemaShape(schema: Schema, where: readonly PropertyKey[]): 'list' | 'map' | 'value' {
  const found = schemasAt(schema, where);
  if (found.some((one) => one instanceof z.AnyArray)) return 'list';
  return found.some((one) => one instanceof z.AnyObject || one instanceof z.AnyRecord) ? 'map' : 'value';
}

/** Returns all alternatives of the schema at a path. */
function schemasAt(schema: Schema, where: readonly PropertyKey[]): Schema[] {
  const [step, ...rest] = where;
  const here = waysOf(schema);
  if (step === undefined) return here;
  return here.flatMap((one) => {
    if (one instanceof z.AnyArray) return typeof step === 'number' ? schemasAt(one._zod.def.element, rest) : [];
    if (one instanceof z.AnyRecord) return typeof step === 'number' ? [] : schemasAt(one._zod.def.valueType, rest);
    if (!(one instanceof z.AnyObject) || !Object.hasOwn(one._zod.def.shape, step)) return [];
    const next: unknown = one._zod.def.shape[String(step)];
    return next instanceof z.AnySchema ? schemasAt(next, rest) : [];
  });
}

function waysOf(schema: Schema): Schema[] {
  if (schema instanceof z.AnyOptional || schema instanceof z.AnyDefault || schema instanceof z.AnyNullable)
    return waysOf(schema._zod.def.innerType);
  if (schema instanceof z.AnyExactOptional) return waysOf(schema._zod.def.innerType);
  if (schema instanceof z.AnyPipe) return waysOf(schema._zod.def.in);
  if (schema instanceof z.AnyLazy) return waysOf(schema._zod.innerType);
  return schema instanceof z.AnyUnion ? schema._zod.def.options.flatMap(waysOf) : [schema];
}
