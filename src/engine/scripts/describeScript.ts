import type { JsonSchema } from '../tools/plugin/checkArguments';
import { argcNeeds, type ArgcParameter, argcParameter, argcParts, type ArgcTag, type BashFunction } from './argcTags';
import {
  type DescribeScript,
  functionName,
  MOST_NAME,
  problemOf,
  type ScriptDescription,
  type ScriptFile,
  type ScriptFunction,
  type ScriptKind,
  type ScriptParameter,
  type ScriptProblem,
  shownDescription,
  stemOf,
} from './scriptDescription';
import type { SyntaxTrees } from './syntaxTree';

/** Returns a describer of scripts. `load` is called once, for the first script that is not bash, and again if it failed. */
export function scriptDescriber(load: () => Promise<SyntaxTrees>): DescribeScript {
  let loaded: Promise<SyntaxTrees> | undefined;
  const trees = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  return async (file, kind) => {
    switch (file.language) {
      case 'bash':
        return describeBash(file, kind);
      case 'python': {
        const { describePython } = await import('./code/describePython');
        return (await trees()).parse('python', file.text, (root) => describePython(file, kind, root));
      }
      case 'typescript':
      case 'javascript': {
        const { describeTypescript } = await import('./code/describeTypescript');
        return (await trees()).parse('typescript', file.text, (root) => describeTypescript(file, kind, root));
      }
    }
  };
}

/** More parameters are a mistake or an attack. */
const MOST_PARAMETERS = 200;
const PARAMETER_TAGS: ReadonlySet<string> = new Set(['option', 'flag', 'arg']);

/** The tags of one function, or of the script itself. */
interface Section {
  description: ArgcTag | undefined;
  parameters: ArgcTag[];
  /** Undefined for the script itself. */
  begins: ArgcTag | undefined;
  entry: BashFunction | undefined;
}

/** Describes a bash script by its argc comments. */
export function describeBash({ path, text }: ScriptFile, kind: ScriptKind): ScriptDescription {
  const parts = argcParts(text);
  const { variables, programs, problems: needs } = argcNeeds(text);
  const names = new Set(parts.flatMap((part) => (part.kind === 'function' ? [part.name] : [])));
  const problems: ScriptProblem[] = [];
  const sections = sectionsOf(parts);
  const [whole, ...commands] = sections;
  const found =
    kind === 'tool' && whole && (names.has('main') || commands.length === 0)
      ? [toolOf(whole, { name: functionName(stemOf(path)), entry: 'main', names, problems })]
      : commands.map((one) => commandOf(one, kind === 'tool' ? `${functionName(stemOf(path))}_` : '', names, problems));
  if (kind === 'agent' && commands.length === 0 && !names.has('_instructions')) {
    problems.push(problemOf(undefined, 'No function has a comment “# @cmd …”, so this file provides no tools.'));
  }
  const functions = found.filter((one) => one !== undefined);
  return {
    functions: functions.filter(({ name }, at) => isFirst(name, at, functions, problems)),
    hasInstructions: names.has('_instructions'),
    variables,
    programs,
    problems: [...problems, ...needs],
  };
}

function isFirst(name: string, at: number, all: readonly ScriptFunction[], problems: ScriptProblem[]): boolean {
  const first = all.findIndex((one) => one.name === name);
  const line = all[at]?.line ?? 1;
  if (first !== at)
    problems.push(problemOf({ line, column: 1 }, `A tool ${name} is already defined above. Rename one of them.`));
  return first === at;
}

/** Returns the script's own section, then one for each `@cmd`. */
function sectionsOf(parts: readonly (ArgcTag | BashFunction)[]): Section[] {
  const whole: Section = { description: undefined, parameters: [], begins: undefined, entry: undefined };
  const sections = [whole];
  let current = whole;
  for (const part of parts) {
    if (part.kind === 'function') {
      if (current.begins) current.entry = part;
      current = whole;
    } else if (part.tag === 'cmd') {
      current = { description: part, parameters: [], begins: part, entry: undefined };
      sections.push(current);
    } else if (part.tag === 'describe') current.description ??= part;
    else if (PARAMETER_TAGS.has(part.tag)) current.parameters.push(part);
  }
  return sections;
}

interface Place {
  name: string;
  entry: string;
  names: ReadonlySet<string>;
  problems: ScriptProblem[];
}

function commandOf(
  section: Section,
  prefix: string,
  names: ReadonlySet<string>,
  problems: ScriptProblem[],
): ScriptFunction | undefined {
  const { begins, entry } = section;
  if (!entry) {
    problems.push(problemOf(begins, 'No function follows this comment. Put it directly above its function.'));
    return undefined;
  }
  if (entry.name.startsWith('_')) return undefined;
  const name = `${prefix}${functionName(entry.name)}`.slice(0, MOST_NAME);
  return toolOf(section, { name, entry: entry.name, names, problems });
}

function toolOf(
  { description, parameters, begins }: Section,
  { name, entry, names, problems }: Place,
): ScriptFunction | undefined {
  const line = begins?.line ?? description?.line ?? 1;
  const before = problems.length;
  if (!description || description.text === '') {
    const tag = begins ? '# @cmd' : '# @describe';
    problems.push(
      problemOf(description ?? begins, `${name} has no description for models. Write “${tag} What it does”.`),
    );
  }
  if (!names.has(entry))
    problems.push(problemOf(description, `The script has no function ${entry}, which Cairn calls.`));
  if (parameters.length > MOST_PARAMETERS) {
    problems.push(problemOf(parameters[MOST_PARAMETERS], `A tool may have at most ${MOST_PARAMETERS} parameters.`));
  }
  if (problems.length > before) return undefined;
  const read = parameters.map((tag) => parameterOf(tag, problems)).filter((one) => one !== undefined);
  const seen = new Set<string>();
  for (const [at, { name: parameter }] of read.entries()) {
    if (seen.has(parameter))
      problems.push(problemOf(parameters[at], `A parameter ${parameter} is already defined above.`));
    seen.add(parameter);
  }
  if (problems.length > before) return undefined;
  return {
    name,
    entry,
    line,
    takes: 'each',
    description: shownDescription(description?.text ?? ''),
    inputSchema: schemaOf(read),
    parameters: read.map(parameterFor),
  };
}

type Read = ArgcParameter & { isFlag: boolean };

function parameterOf(tag: ArgcTag, problems: ScriptProblem[]): Read | undefined {
  const read = argcParameter(tag);
  if (read) return { ...read, isFlag: tag.tag === 'flag' };
  const example =
    { option: '--count=3 <INT> How many', flag: '--all Also what is hidden', arg: 'file! Which file' }[tag.tag] ?? '';
  problems.push(problemOf(tag, `This is not valid. Write it as “# @${tag.tag} ${example}”.`));
  return undefined;
}

function parameterFor({ name, option, isFlag, isList, default: given, computed }: Read): ScriptParameter {
  return {
    name,
    variable: name,
    ...(option !== undefined && { option }),
    ...(isFlag && { isFlag }),
    ...(isList && !isFlag && { isList }),
    ...(given !== undefined && { default: given }),
    ...(computed !== undefined && { computed }),
  };
}

function schemaOf(parameters: readonly Read[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [one.name, propertyOf(one)])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

function propertyOf({ isFlag, isList, notation, choices, default: given, description }: Read): JsonSchema {
  const said = description === '' ? {} : { description: shownDescription(description) };
  if (isFlag) return { type: 'boolean', ...said };
  const kind = notation?.toUpperCase();
  const type =
    kind === 'INT' || kind === 'INTEGER' ? 'integer' : kind === 'NUM' || kind === 'NUMBER' ? 'number' : 'string';
  const one = { type, ...(choices && { enum: choices.map((choice) => valueOf(choice, type)) }) };
  if (isList) return { type: 'array', items: one, ...said };
  return { ...one, ...(given !== undefined && { default: valueOf(given, type) }), ...said };
}

function valueOf(text: string, type: string): string | number {
  const number = Number(text);
  return type === 'string' || text.trim() === '' || Number.isNaN(number) ? text : number;
}
