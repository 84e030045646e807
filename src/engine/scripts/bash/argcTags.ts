import type { ScriptDescription, ScriptProblem, ScriptVariable } from '../scriptDescription';
import { problemOf } from '../scriptProblems';
import { shownDescription } from '../shownDescription';

/** A comment of a bash script such as `# @option --count=3 <INT> How many`, with the lines that go on with it. */
export interface ArgcTag {
  readonly kind: 'tag';
  /** `option` of `@option`. */
  readonly tag: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Where a function of the script begins. */
export interface BashFunction {
  readonly kind: 'function';
  readonly name: string;
  readonly line: number;
}

/** What stands behind `@option`, `@flag` or `@arg`. */
export interface ArgcParameter {
  /** As the variable has it: `dry_run` of `--dry-run`. */
  readonly name: string;
  /** `--dry-run`; undefined for `@arg`. */
  readonly option: string | undefined;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly default: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** `INT` of `<INT>`. */
  readonly notation: string | undefined;
  readonly description: string;
}

const TAG = /^([ \t]*#[ \t]*)@([a-z]+)(?:[ \t]+(.*))?$/;
const MORE = /^[ \t]*#[ \t]?(.*)$/;
const FUNCTION = /^[ \t]*(?:function[ \t]+([\w:-]+)[ \t]*(?:\(\))?|([\w:-]+)[ \t]*\(\))[ \t]*\{?/;

/** The tags and functions of a script, in their order. Comments inside of texts are taken for comments, as argc does. */
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
      open = { tag: { kind: 'tag', tag, text: '', line: at + 1, column: before.length + 1 }, lines: [rest] };
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

/** Undefined for what is no option, flag or argument as argc writes them. */
export function argcParameter({ tag, text }: Pick<ArgcTag, 'tag' | 'text'>): ArgcParameter | undefined {
  const named = tag === 'arg' ? argName(text) : optionName(text);
  if (!named) return undefined;
  const { rest: behind, ...name } = named;
  const shape = shapeOf(behind);
  if (!shape) return undefined;
  const { rest, ...value } = shape;
  const [, notation, description = ''] = /^(?:[ \t]*<([^<>\n]+)>(?:[ \t]*<[^<>\n]+>)*)?([^]*)$/.exec(rest) ?? [];
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

type Shape = Pick<ArgcParameter, 'isRequired' | 'isList' | 'default' | 'choices'> & { rest: string };

/** `!`, `*`, `+`, each of them with a separator, then `=default`, `[a|b]` or `[=a|b]`; nothing else may touch the name. */
function shapeOf(text: string): Shape | undefined {
  const [modifier = '', sign = ''] = /^([!*+~])(?:[,:;|/])?/.exec(text) ?? [];
  let rest = text.slice(modifier.length);
  const kind = { isRequired: sign === '!' || sign === '+', isList: sign === '*' || sign === '+' || sign === '~' };
  const [list, inside] = /^\[([^\]\n]*)\]/.exec(rest) ?? [];
  let choices: string[] | undefined;
  let first: string | undefined;
  if (list !== undefined && inside !== undefined) {
    rest = rest.slice(list.length);
    // Choices that a function of the script gives are known to the script alone.
    if (!inside.includes('`')) {
      choices = inside.replace(/^=/, '').split('|');
      if (inside.startsWith('=')) first = choices[0];
    }
  }
  const given = defaultOf(rest);
  if (given) rest = given.rest;
  if (rest !== '' && !/^[ \t\n]/.test(rest)) return undefined;
  const value = given ? given.value : first;
  return { ...kind, isRequired: kind.isRequired && value === undefined, choices, default: value, rest };
}

/** What a function of the script gives is known to the script alone. */
function defaultOf(text: string): { value: string | undefined; rest: string } | undefined {
  const [whole, double, single, computed, plain] =
    /^=(?:"([^"\n]*)"|'([^'\n]*)'|(`[^`\n]*`)|([^\s]*))/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { value: computed === undefined ? (double ?? single ?? plain) : undefined, rest: text.slice(whole.length) };
}

/** What a script says that it needs, in comments of any language: `# @env KEY! What for`, `// @meta require-tools jq`. */
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

/** `@meta require-tools jq curl` */
function programsIn({ tag, text }: ArgcTag): string[] {
  const [, names] = tag === 'meta' ? (/^require-tools[ \t]+([^\n]*)/.exec(text) ?? []) : [];
  return names?.split(/[\s,]+/).filter((name) => name !== '') ?? [];
}
