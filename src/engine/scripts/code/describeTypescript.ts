import { isRecord } from '../../../base/isRecord';
import {
  placeOf,
  problemOf,
  type ScriptDescription,
  type ScriptFile,
  type ScriptKind,
  type ScriptProblem,
} from '../scriptDescription';
import { brokenPlace, namedChildren, type SyntaxNode } from '../syntaxTree';
import { type CodeFunction, type CodeParameter, describeFunctions } from './codeFunction';
import type { Docs, ParameterDocs } from './pythonDocs';
import { typescriptType } from './typescriptType';
import { type NamedTypes, namedTypes, ofLiterals, ofType, type ValueType } from './valueType';

const HOW = 'Write a comment “/** … */” above it that says what it does.';
const FUNCTIONS: ReadonlySet<string> = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'arrow_function',
]);

/** A function, with the node that its comment is above. */
interface Exported {
  name: string;
  node: SyntaxNode;
  commented: SyntaxNode;
}

/** Describes a TypeScript or JavaScript script by its exports: names, types, defaults, and comments. */
export function describeTypescript(file: ScriptFile, kind: ScriptKind, root: SyntaxNode): ScriptDescription {
  const broken = brokenPlace(root);
  if (broken) {
    const problem = problemOf(
      placeOf(broken),
      'This is not valid code. Until it is corrected, the script is not a tool.',
    );
    return { functions: [], hasInstructions: false, variables: [], programs: [], problems: [problem] };
  }
  const named = typesOf(root);
  const functions = exportedFunctions(root).map((one) => functionOf(one, named));
  return describeFunctions(file, kind, functions, HOW);
}

function exportedFunctions(root: SyntaxNode): Exported[] {
  const all = namedChildren(root);
  const own = new Map(all.flatMap((node) => declared(node)).map((one) => [one.name, one] as const));
  return all.flatMap((node): Exported[] => {
    if (node.type === 'export_statement') return exportedBy(node, own);
    return node.type === 'expression_statement' ? assignedExports(node, own) : [];
  });
}

/** Finds `function run` and `const run = (…) => …`. The comment is above the whole statement. */
function declared(node: SyntaxNode, commented = node): Exported[] {
  if (FUNCTIONS.has(node.type)) {
    const name = node.childForFieldName('name')?.text;
    return name === undefined ? [] : [{ name, node, commented }];
  }
  if (node.type !== 'lexical_declaration' && node.type !== 'variable_declaration') return [];
  return namedChildren(node).flatMap((one) => {
    const value = one.childForFieldName('value');
    const name = one.childForFieldName('name')?.text;
    return value && name !== undefined && FUNCTIONS.has(value.type) ? [{ name, node: value, commented }] : [];
  });
}

function exportedBy(statement: SyntaxNode, own: ReadonlyMap<string, Exported>): Exported[] {
  const declaration = statement.childForFieldName('declaration');
  if (declaration) {
    const found = declared(declaration, statement);
    return found.length > 0 || !FUNCTIONS.has(declaration.type)
      ? found
      : [{ name: 'run', node: declaration, commented: statement }];
  }
  const value = statement.childForFieldName('value');
  if (value && FUNCTIONS.has(value.type)) return [{ name: 'run', node: value, commented: statement }];
  const clause = namedChildren(statement).find(({ type }) => type === 'export_clause');
  const specifiers = clause ? namedChildren(clause) : [];
  return specifiers.flatMap((one) => {
    const found = own.get(one.childForFieldName('name')?.text ?? '');
    return found ? [{ ...found, name: one.childForFieldName('alias')?.text ?? found.name }] : [];
  });
}

/** Finds `exports.run = …` and `module.exports = { run }`. */
function assignedExports(statement: SyntaxNode, own: ReadonlyMap<string, Exported>): Exported[] {
  const [assignment] = namedChildren(statement);
  const left = assignment?.childForFieldName('left')?.text ?? '';
  const right = assignment?.childForFieldName('right');
  if (assignment?.type !== 'assignment_expression' || !right) return [];
  const [, name] = /^(?:module\.)?exports\.([\w$]+)$/.exec(left) ?? [];
  if (name !== undefined) {
    if (FUNCTIONS.has(right.type)) return [{ name, node: right, commented: statement }];
    const found = own.get(right.text);
    return found ? [{ ...found, name }] : [];
  }
  if (left !== 'module.exports' || right.type !== 'object') return [];
  return namedChildren(right).flatMap((one) => {
    const found = own.get(one.type === 'shorthand_property_identifier' ? one.text : '');
    return found ? [found] : [];
  });
}

function functionOf({ name, node, commented }: Exported, named: NamedTypes): CodeFunction {
  const docs = commentAbove(commented);
  const problems: ScriptProblem[] = [];
  const list = node.childForFieldName('parameters');
  const written = list ? namedChildren(list).filter(({ type }) => type !== 'comment') : [];
  const [only] = written;
  const whole = written.length === 1 && only ? objectParameter(only, docs, named) : undefined;
  const parameters = whole ?? written.flatMap((one) => parameterOf(one, { docs, named, problems }));
  const { description } = docs;
  return { name, ...placeOf(commented), description, takes: whole ? 'object' : 'each', parameters, problems };
}

function commentAbove({ previousNamedSibling: above }: SyntaxNode): JsDocs {
  return jsDocs(above?.type === 'comment' && above.text.startsWith('/**') ? above.text : '');
}

/** Returns the values of a function that takes them as one object: `run({ city, days }: Args)`, or `run(args)` with a comment. */
function objectParameter(node: SyntaxNode, docs: JsDocs, named: NamedTypes): CodeParameter[] | undefined {
  const pattern = node.childForFieldName('pattern') ?? node;
  if (pattern.type === 'identifier' && hintOf(node) === undefined) return commentedObject(pattern.text, docs, named);
  if (pattern.type !== 'object_pattern') return undefined;
  const [first] = [...docs.parameters].filter(([name]) => !name.includes('.'));
  const hint = hintOf(node) ?? first?.[1].type;
  const { properties, required } = hint === undefined ? {} : typescriptType(hint, named).schema;
  const types = isRecord(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : undefined;
  const made = docs.properties;
  return namedChildren(pattern).flatMap((one): CodeParameter[] => {
    const name = (one.childForFieldName('left') ?? one.childForFieldName('key') ?? one).text;
    if (!/^[\w$]+$/.test(name)) return [];
    const value = one.childForFieldName('right');
    const said = made.get(name) ?? paramDocs(docs, name);
    const schema = types[name];
    const own: ValueType = { schema: isRecord(schema) ? schema : {}, isNullable: false };
    const type = isRecord(schema) || said?.type === undefined ? own : typescriptType(said.type, named);
    const given = value ? literalOf(value.text) : said?.default;
    const isLeftOut = needed !== undefined && !needed.includes(name);
    const isOptional = value !== null || isLeftOut || said?.isOptional === true;
    return [
      {
        name,
        type,
        isOptional,
        description: said?.text ?? describedIn(schema),
        ...(given !== undefined && { default: given }),
      },
    ];
  });
}

/**
 * Returns the values of `run(args)` whose comment lists them as `@property` tags, the way of llm-functions, or as
 * `@param args.city`.
 */
function commentedObject(whole: string, docs: JsDocs, named: NamedTypes): CodeParameter[] | undefined {
  const own = [...docs.parameters].flatMap(([path, said]) => {
    const [first, name, ...deeper] = path.split('.');
    return first === whole && name !== undefined && deeper.length === 0 ? [[name, said] as const] : [];
  });
  const listed = docs.properties.size > 0 ? [...docs.properties] : own;
  if (listed.length === 0) return undefined;
  return listed.map(([name, { type, text, isOptional, default: given }]) => ({
    name,
    type: typescriptType(type ?? 'string', named),
    isOptional,
    description: text,
    ...(given !== undefined && { default: given }),
  }));
}

function describedIn(schema: unknown): string {
  return isRecord(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
}

function paramDocs({ parameters }: JsDocs, name: string): PropertyDocs | undefined {
  return [...parameters].find(([path]) => path === name || path.endsWith(`.${name}`))?.[1];
}

interface Reading {
  docs: JsDocs;
  named: NamedTypes;
  problems: ScriptProblem[];
}

function parameterOf(node: SyntaxNode, { docs, named, problems }: Reading): CodeParameter[] {
  const pattern = node.childForFieldName('pattern') ?? node;
  if (pattern.type !== 'identifier') {
    const what = pattern.type === 'this' ? '' : `A model cannot be told what ${pattern.text} takes. `;
    problems.push(problemOf(placeOf(node), `${what}Name each parameter, or take one object with all of them.`));
    return [];
  }
  const name = pattern.text;
  const said = paramDocs(docs, name);
  const hint = hintOf(node) ?? said?.type;
  const value = node.childForFieldName('value');
  const given = value ? literalOf(value.text) : said?.default;
  const guessed = given === undefined ? ofType('string') : ofType(typeof given);
  return [
    {
      name,
      type: hint === undefined ? guessed : typescriptType(hint, named),
      isOptional: value !== null || node.type === 'optional_parameter' || said?.isOptional === true,
      description: said?.text ?? '',
      ...(given !== undefined && { default: given }),
    },
  ];
}

function hintOf(node: SyntaxNode): string | undefined {
  return node.childForFieldName('type')?.text.replace(/^:\s*/, '');
}

type Literal = string | number | boolean;

/** Parses a number, string, or Boolean; undefined for anything only the script can evaluate. */
function literalOf(text: string): Literal | undefined {
  if (/^-?\d[\d_]*(?:\.\d+)?$/.test(text)) return Number(text.replaceAll('_', ''));
  if (text === 'true' || text === 'false') return text === 'true';
  const [, double, single] = /^(?:"([^"\\\n]*)"|'([^'\\\n]*)')$/.exec(text) ?? [];
  return double ?? single;
}

/** Collects the script's interfaces, type aliases, and enums, and types defined by `@typedef` comments. */
function typesOf(root: SyntaxNode): NamedTypes {
  const found = new Map<string, (named: NamedTypes) => ValueType>();
  for (const statement of namedChildren(root)) {
    const node =
      statement.type === 'export_statement' ? (statement.childForFieldName('declaration') ?? statement) : statement;
    const name = node.childForFieldName('name')?.text;
    const text = (node.childForFieldName('body') ?? node.childForFieldName('value'))?.text;
    if (statement.type === 'comment') {
      const { made, properties } = jsDocs(statement.text);
      if (made !== undefined) found.set(made, (named) => madeType(properties, named));
    } else if (name === undefined || text === undefined) continue;
    else if (node.type === 'enum_declaration') found.set(name, () => enumType(node));
    else if (node.type === 'interface_declaration' || node.type === 'type_alias_declaration') {
      found.set(name, (named) => typescriptType(text, named));
    }
  }
  return namedTypes((name, named) => found.get(name)?.(named));
}

function madeType(properties: ReadonlyMap<string, PropertyDocs>, named: NamedTypes): ValueType {
  const all = [...properties].map(([name, { type, text, isOptional }]) => {
    const of = typescriptType(type ?? 'string', named);
    return {
      name,
      schema: { ...of.schema, ...(text !== '' && { description: text }) },
      isOptional: isOptional || of.isNullable,
    };
  });
  return ofType('object', {
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    required: all.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
  });
}

function enumType(node: SyntaxNode): ValueType {
  const body = node.childForFieldName('body');
  const members = body ? namedChildren(body).filter(({ type }) => type !== 'comment') : [];
  const values = members.map((member, at) => literalOf(member.childForFieldName('value')?.text ?? '') ?? at);
  return { schema: ofLiterals(values), isNullable: false };
}

interface JsDocs extends Docs {
  readonly parameters: ReadonlyMap<string, PropertyDocs>;
  /** From `@property` tags. */
  readonly properties: ReadonlyMap<string, PropertyDocs>;
  /** The name of the type that the comment defines with `@typedef`, which has these properties. */
  readonly made: string | undefined;
}

interface PropertyDocs extends ParameterDocs {
  /** Written `[name]`. */
  readonly isOptional: boolean;
  /** Written `[name=value]`. */
  readonly default?: Literal;
}

/** Parses a JSDoc comment: the text before the first tag, and its `@param` and `@property` tags. */
function jsDocs(comment: string): JsDocs {
  const lines = comment
    .replace(/^\/\*\*?/, '')
    .replace(/\*\/\s*$/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const first = lines.findIndex((line) => /^\s*@\w/.test(line));
  const description = (first === -1 ? lines : lines.slice(0, first)).join('\n').trim();
  const tags = first === -1 ? [] : tagsIn(lines.slice(first));
  const parameters = new Map<string, PropertyDocs>();
  const properties = new Map<string, PropertyDocs>();
  let made: string | undefined;
  for (const { tag, text } of tags) {
    if (tag === 'typedef') made = /^(?:\{[^}]*\}\s*)?([\w$]+)/.exec(text)?.[1];
    const into = tag === 'param' ? parameters : tag === 'property' || tag === 'prop' ? properties : undefined;
    const entry = into && entryOf(text);
    if (entry) into.set(entry.name, entry.docs);
  }
  return { description, parameters, properties, made };
}

function tagsIn(lines: readonly string[]): { tag: string; text: string }[] {
  const tags: { tag: string; lines: string[] }[] = [];
  for (const line of lines) {
    const [, tag, text = ''] = /^\s*@(\w+)([^]*)$/.exec(line) ?? [];
    if (tag === undefined) tags.at(-1)?.lines.push(line.trim());
    else tags.push({ tag, lines: [text] });
  }
  return tags.map(({ tag, lines: all }) => ({ tag, text: all.join('\n').trim() }));
}

/** Parses `{string} [name=default] - What it is`. */
function entryOf(text: string): { name: string; docs: PropertyDocs } | undefined {
  const { type, rest } = typeIn(text);
  const [, optional, given, plain, said = ''] =
    /^(?:\[\s*([\w$.]+)\s*(?:=([^\]]*))?\]|([\w$.]+))\s*(?:-\s*)?([^]*)$/.exec(rest) ?? [];
  const name = optional ?? plain;
  if (name === undefined) return undefined;
  const value = given === undefined ? undefined : literalOf(given.trim());
  const docs = { type, text: said.trim(), isOptional: optional !== undefined };
  return { name, docs: { ...docs, ...(value !== undefined && { default: value }) } };
}

/** Parses a type in braces, which may be nested. */
function typeIn(text: string): { type: string | undefined; rest: string } {
  if (!text.startsWith('{')) return { type: undefined, rest: text };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0)
      return { type: text.slice(1, at).trim(), rest: text.slice(at + 1).trim() };
  }
  return { type: undefined, rest: '' };
}
