import {
  problemOf,
  type ScriptDescription,
  type ScriptProblem,
  type ScriptVariable,
  shownDescription,
} from './scriptDescription';

/** A comment in a bash script such as `# @option --count=3 <INT> How many`, with its continuation lines. */
export interface ArgcTag {
  readonly kind: 'tag';
  /** `option` for `@option`. */
  readonly tag: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** The start of a function in the script. */
export interface BashFunction {
  readonly kind: 'function';
  readonly name: string;
  readonly line: number;
}

/** The parsed text after `@option`, `@flag`, or `@arg`. */
export interface ArgcParameter {
  /** In the form used for variables: `dry_run` for `--dry-run`. */
  readonly name: string;
  /** `--dry-run`; undefined for `@arg`. */
  readonly option: string | undefined;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly default: string | undefined;
  /** The function of the script that prints the default. */
  readonly computed: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** `INT` for `<INT>`. */
  readonly notation: string | undefined;
  readonly description: string;
}

const TAG = /^([ \t]*#[ \t]*)@([a-z]+)(?:[ \t]([^]*))?$/;
const MORE = /^[ \t]*#[ \t]?(.*)$/;
const FUNCTION = /^[ \t]*(?:function[ \t]+([\w:-]+)[ \t]*(?:\(\))?|([\w:-]+)[ \t]*\(\))[ \t]*\{?/;

/** Returns a script's tags and functions, in order. Comments inside strings count as comments, as in argc. */
export function argcParts(text: string): (ArgcTag | BashFunction)[] {
  const parts: (ArgcTag | BashFunction)[] = [];
  let open: { tag: ArgcTag; lines: string[] } | undefined;
  const close = () => {
    if (open) parts.push({ ...open.tag, text: open.lines.join('\n').trim() });
    open = undefined;
  };
  for (const [at, whole] of text.split('\n').entries()) {
    const written = whole.replace(/\r$/, '');
    const [, before, tag, rest = ''] = TAG.exec(written) ?? [];
    if (before !== undefined && tag !== undefined) {
      close();
      open = {
        tag: { kind: 'tag', tag, text: '', line: at + 1, column: before.length + 1 },
        lines: [rest.trimStart()],
      };
      continue;
    }
    const [, more] = MORE.exec(written) ?? [];
    if (more !== undefined) {
      open?.lines.push(more.trim());
      continue;
    }
    close();
    const [, first, second] = FUNCTION.exec(written) ?? [];
    const name = first ?? second;
    if (name !== undefined) parts.push({ kind: 'function', name, line: at + 1 });
  }
  close();
  return parts;
}

/** What follows the shape: a notation, a variable that argc reads the value from (`$KEY`, or `$$`), and the description. */
const WORDS = /^(?:[ \t]*<([^<>\n]+)>(?:[ \t]*<[^<>\n]+>)*)?(?:[ \t]+\$(?:\$|[A-Z_]\w*)(?!\S))?([^]*)$/;

/** Parses an option, flag, or argument in argc syntax. Undefined if it is not valid. */
export function argcParameter({ tag, text }: Pick<ArgcTag, 'tag' | 'text'>): ArgcParameter | undefined {
  const named = tag === 'arg' ? argName(text) : optionName(text);
  if (!named) return undefined;
  const { rest: behind, ...name } = named;
  const shape = shapeOf(behind);
  if (!shape) return undefined;
  const { rest, ...value } = shape;
  const [, notation, description = ''] = WORDS.exec(rest) ?? [];
  return { ...name, ...value, notation: notation?.replace(/[*+?]$/, ''), description: description.trim() };
}

interface Name {
  name: string;
  option: string | undefined;
  rest: string;
}

function optionName(text: string): Name | undefined {
  const [whole, short, long] = /^(?:(-[A-Za-z0-9])(?![\w-]))?[ \t]*(--?[A-Za-z0-9][\w.:-]*)?/.exec(text) ?? [];
  const option = long ?? short;
  if (whole === undefined || option === undefined) return undefined;
  return { name: option.replace(/^-+/, '').replaceAll(/[^A-Za-z0-9]/g, '_'), option, rest: text.slice(whole.length) };
}

function argName(text: string): Name | undefined {
  const [name] = /^[A-Za-z_][\w-]*/.exec(text) ?? [];
  return name === undefined
    ? undefined
    : { name: name.replaceAll('-', '_'), option: undefined, rest: text.slice(name.length) };
}

type Shape = Pick<ArgcParameter, 'isRequired' | 'isList' | 'default' | 'computed' | 'choices'> & { rest: string };

/**
 * Parses `!`, `*`, `+`, or `~`, with an optional separator, then `=default`, `[a|b]`, or `[=a|b]`. Nothing else may directly
 * follow the name.
 */
function shapeOf(text: string): Shape | undefined {
  const [modifier = '', sign = ''] = /^([!*+~])(?:[,:;|/])?/.exec(text) ?? [];
  let rest = text.slice(modifier.length);
  const kind = { isRequired: sign === '!' || sign === '+', isList: sign === '*' || sign === '+' || sign === '~' };
  const [list, inside] = /^\[([^\]\n]*)\]/.exec(rest) ?? [];
  let choices: string[] | undefined;
  let first: string | undefined;
  if (list !== undefined && inside !== undefined) {
    rest = rest.slice(list.length);
    // Choices returned by a function of the script are unknown here.
    if (!inside.includes('`')) {
      choices = inside.replace(/^=/, '').split('|');
      if (inside.startsWith('=')) first = choices[0];
    }
  }
  const given = defaultOf(rest);
  if (given) rest = given.rest;
  if (rest !== '' && !/^[ \t\n]/.test(rest)) return undefined;
  const value = given ? given.value : first;
  const isRequired = kind.isRequired && given === undefined && first === undefined;
  return { ...kind, isRequired, choices, default: value, computed: given?.computed, rest };
}

/** Parses a default. A value returned by a function of the script is unknown until the script runs. */
function defaultOf(
  text: string,
): { value: string | undefined; computed: string | undefined; rest: string } | undefined {
  const [whole, double, single, computed, plain] =
    /^=(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`|([^\s]*))/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { value: double ?? single ?? plain, computed, rest: text.slice(whole.length) };
}

/** Parses what a script declares it needs, in comments of any language: `# @env KEY! What for`, `// @meta require-tools jq`. */
export function argcNeeds(text: string): Pick<ScriptDescription, 'variables' | 'programs' | 'problems'> {
  const asBash = text.replaceAll(/^([ \t]*)(?:\/\/|\/\*\*?|\*)[ \t]*(?=@(?:env|meta)\b)/gm, '$1# ');
  const tags = argcParts(asBash).filter((part) => part.kind === 'tag');
  const problems: ScriptProblem[] = [];
  const variables = tags.flatMap((tag) => (tag.tag === 'env' ? variableOf(tag, problems) : []));
  return { variables, programs: tags.flatMap(programsIn), problems };
}

function variableOf(tag: ArgcTag, problems: ScriptProblem[]): ScriptVariable[] {
  const [first = ''] = tag.text.split('\n');
  const read = argcParameter({ tag: 'arg', text: first.replace(/\*\/\s*$/, '') });
  if (!read) {
    problems.push(problemOf(tag, 'This is not valid. Write it as “# @env SOME_KEY! What it is for”.'));
    return [];
  }
  const { name, isRequired, default: given, description } = read;
  const said = shownDescription(description);
  return [{ name, isRequired, ...(given !== undefined && { default: given }), description: said }];
}

/** Parses `@meta require-tools jq curl`. */
function programsIn({ tag, text }: ArgcTag): string[] {
  const [, names] = tag === 'meta' ? (/^require-tools[ \t]+([^\n]*)/.exec(text) ?? []) : [];
  return names?.split(/[\s,]+/).filter((name) => name !== '') ?? [];
}
