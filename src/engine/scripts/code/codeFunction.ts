import type { JsonSchema } from '../../tools/plugin/checkArguments';
import { argcNeeds } from '../argcTags';
import {
  functionName,
  problemOf,
  type ScriptDescription,
  type ScriptFile,
  type ScriptFunction,
  type ScriptKind,
  type ScriptProblem,
  shownDescription,
  stemOf,
} from '../scriptDescription';
import type { ValueType } from './valueType';

/** A parameter of a Python, TypeScript, or JavaScript function. */
export interface CodeParameter {
  readonly name: string;
  readonly type: ValueType;
  readonly isOptional: boolean;
  readonly default?: unknown;
  readonly description: string;
}

/** A function that a script offers, before it becomes a tool. */
export interface CodeFunction {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly description: string;
  readonly takes: ScriptFunction['takes'];
  readonly parameters: readonly CodeParameter[];
  /** Why it cannot be a tool. */
  readonly problems: readonly ScriptProblem[];
}

/** More parameters are a mistake or an attack. */
const MOST_PARAMETERS = 200;
/** Maximum size of a tool's schema, in characters. */
const MOST_SCHEMA = 50_000;

/** Describes a script by its functions. `how` says how to write a function's description. */
export function describeFunctions(
  { path, text }: ScriptFile,
  kind: ScriptKind,
  all: readonly CodeFunction[],
  how: string,
): ScriptDescription {
  const { problems: needs, ...needed } = argcNeeds(text);
  const offered = all.filter(({ name }) => (kind === 'tool' ? name === 'run' : !name.startsWith('_')));
  const problems: ScriptProblem[] = [...needs];
  const hasInstructions = all.some(({ name }) => name === '_instructions');
  if (kind === 'tool' && offered.length === 0) {
    problems.push(problemOf(undefined, 'There is no function run, which Cairn calls. Add it, with a description.'));
  }
  const functions: ScriptFunction[] = [];
  for (const one of offered) {
    const name = kind === 'tool' ? functionName(stemOf(path)) : functionName(one.name);
    const wrong = whyNot(one, name, functions, how);
    if (wrong.length > 0) problems.push(...wrong);
    else functions.push(toolOf(one, name));
  }
  return { functions, hasInstructions, ...needed, problems };
}

function whyNot(one: CodeFunction, name: string, others: readonly ScriptFunction[], how: string): ScriptProblem[] {
  if (one.problems.length > 0) return [...one.problems];
  if (others.some((other) => other.name === name)) {
    return [problemOf(one, `A tool ${name} is already defined above. Rename one of them.`)];
  }
  if (one.description.trim() === '') return [problemOf(one, `${name} has no description for models. ${how}`)];
  if (one.parameters.length > MOST_PARAMETERS) {
    return [problemOf(one, `A tool may have at most ${MOST_PARAMETERS} parameters.`)];
  }
  if (JSON.stringify(schemaOf(one)).length > MOST_SCHEMA) {
    return [problemOf(one, `The parameters of ${name} are too complex for a model. Use fewer and simpler ones.`)];
  }
  return [];
}

function toolOf(one: CodeFunction, name: string): ScriptFunction {
  const { name: entry, takes, line, parameters } = one;
  return {
    name,
    entry,
    takes,
    line,
    description: shownDescription(one.description),
    inputSchema: schemaOf(one),
    parameters: parameters.map((parameter) => ({ name: parameter.name, variable: parameter.name })),
  };
}

function schemaOf({ parameters }: CodeFunction): JsonSchema {
  const required = parameters.filter(({ isOptional, type }) => !isOptional && !type.isNullable).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [one.name, propertyOf(one)])),
    required,
    additionalProperties: false,
  };
}

function propertyOf({ type, default: given, description }: CodeParameter): JsonSchema {
  const said = shownDescription(description);
  return {
    ...type.schema,
    ...(given !== undefined && given !== null && { default: given }),
    ...(said !== '' && { description: said }),
  };
}
