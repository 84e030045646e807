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
import { type Docs, pythonDocs } from './pythonDocs';
import {
  ANYTHING,
  type NamedTypes,
  namedTypes,
  ofLiterals,
  ofType,
  ofUnion,
  TokenReader,
  typeTokens,
  type ValueType,
} from './valueType';

const HOW = 'Write a docstring that says what it does.';
/** Longer defaults are not shown to models. In characters. */
const MOST_DEFAULT = 5000;
const ENUMS: ReadonlySet<string> = new Set(['Enum', 'StrEnum', 'IntEnum', 'Flag']);

/** Describes a Python script by its functions: names, type hints, defaults, and docstrings. */
export function describePython(file: ScriptFile, kind: ScriptKind, root: SyntaxNode): ScriptDescription {
  const broken = brokenPlace(root);
  if (broken) {
    const problem = problemOf(
      placeOf(broken),
      'This is not valid Python. Until it is corrected, the script is not a tool.',
    );
    return { functions: [], hasInstructions: false, variables: [], programs: [], problems: [problem] };
  }
  const definitions = namedChildren(root).map(undecorated);
  const classes = new Map(
    definitions.filter(({ type }) => type === 'class_definition').map((one) => [nameOf(one), one] as const),
  );
  const named = namedTypes((name, others) => {
    const found = classes.get(name);
    return found && classType(found, others);
  });
  const functions = definitions
    .filter(({ type }) => type === 'function_definition')
    .map((definition) => functionOf(definition, named));
  return describeFunctions(file, kind, functions, HOW);
}

function undecorated(node: SyntaxNode): SyntaxNode {
  return node.type === 'decorated_definition' ? (node.childForFieldName('definition') ?? node) : node;
}

function nameOf(definition: SyntaxNode): string {
  return definition.childForFieldName('name')?.text ?? '';
}

function functionOf(definition: SyntaxNode, named: NamedTypes): CodeFunction {
  const docs = pythonDocs(docstringOf(definition));
  const problems: ScriptProblem[] = [];
  const parameters = definition.childForFieldName('parameters');
  return {
    name: nameOf(definition),
    ...placeOf(definition),
    description: docs.description,
    takes: 'each',
    parameters: parameters
      ? namedChildren(parameters).flatMap((one) => parameterOf(one, { docs, named, problems }))
      : [],
    problems,
  };
}

function docstringOf(definition: SyntaxNode): string {
  const body = definition.childForFieldName('body');
  const [first] = body ? namedChildren(body).filter(({ type }) => type !== 'comment') : [];
  const text = first?.type === 'expression_statement' ? namedChildren(first)[0] : first;
  return text?.type === 'string' ? contentOf(text.text) : '';
}

function contentOf(literal: string): string {
  const [, long, short] = /^[A-Za-z]*(?:("""|''')|("|'))/.exec(literal) ?? [];
  const quote = long ?? short ?? '';
  return literal.slice(literal.indexOf(quote) + quote.length, literal.length - quote.length);
}

interface Reading {
  docs: Docs;
  named: NamedTypes;
  problems: ScriptProblem[];
}

function parameterOf(node: SyntaxNode, { docs, named, problems }: Reading): CodeParameter[] {
  const splat = node.type.includes('splat') ? node : namedChildren(node).find(({ type }) => type.includes('splat'));
  if (splat || node.type === 'positional_separator') {
    const what =
      node.type === 'positional_separator'
        ? 'Models pass values by name, so “/” is not allowed here.'
        : `A model cannot be told what ${node.text} takes.`;
    problems.push(problemOf(placeOf(node), `${what} Name each parameter.`));
    return [];
  }
  const name =
    node.type === 'identifier' ? node.text : (node.childForFieldName('name') ?? namedChildren(node)[0])?.text;
  if (name === undefined || node.type === 'comment' || node.type === 'keyword_separator') return [];
  const said = docs.parameters.get(name);
  const hint = node.childForFieldName('type')?.text ?? said?.type;
  const value = node.childForFieldName('value');
  const given = value ? literalOf(value.text) : undefined;
  const type = hint === undefined ? typeOfDefault(given, value?.type) : pythonType(hint, named);
  return [
    {
      name,
      type,
      isOptional: value !== null,
      description: said?.text ?? '',
      ...(given !== undefined && { default: given }),
    },
  ];
}

/** Returns the type of a parameter without a type hint. */
function typeOfDefault(given: unknown, written: string | undefined): ValueType {
  if (typeof given === 'boolean') return ofType('boolean');
  if (typeof given === 'number') return ofType(written === 'float' ? 'number' : 'integer');
  if (Array.isArray(given)) return ofType('array');
  return ofType(isRecord(given) ? 'object' : 'string');
}

/** Parses a number, string, Boolean, or list of them; undefined for anything only Python can evaluate. */
function literalOf(text: string): unknown {
  if (/^-?\d[\d_]*(?:\.\d+)?$/.test(text)) return Number(text.replaceAll('_', ''));
  if (text === 'True' || text === 'False') return text === 'True';
  const [, double, single] = /^(?:"([^"\\\n]*)"|'([^'\\\n]*)')$/.exec(text) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single;
  if (!/^[[{]/.test(text) || text.length > MOST_DEFAULT) return undefined;
  try {
    const json: unknown = JSON.parse(text.replaceAll("'", '"'));
    return json;
  } catch {
    return undefined;
  }
}

function classType(definition: SyntaxNode, named: NamedTypes): ValueType | undefined {
  const heritage = definition.childForFieldName('superclasses')?.text ?? '';
  const bases = heritage.match(/\b[A-Za-z_]\w*\b(?=\s*[,)(=])/g) ?? [];
  const body = definition.childForFieldName('body');
  const lines = body ? namedChildren(body).flatMap(assignmentIn) : [];
  if (bases.some((base) => ENUMS.has(base))) {
    const values = lines.map(
      (line) => literalOf(line.childForFieldName('right')?.text ?? '') ?? line.childForFieldName('left')?.text ?? '',
    );
    return {
      schema: ofLiterals(values.filter((one) => typeof one === 'string' || typeof one === 'number')),
      isNullable: false,
    };
  }
  const fields = lines.filter((line) => line.childForFieldName('type'));
  if (fields.length === 0) return ANYTHING;
  const isPartial = /\btotal\s*=\s*False\b/.test(heritage);
  const read = fields.map((line) => fieldOf(line, named, isPartial));
  const required = read.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return ofType('object', {
    properties: Object.fromEntries(read.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  });
}

/** Parses a field of a class, such as `limit: int = Field(5, description="How many")`. */
function fieldOf(line: SyntaxNode, named: NamedTypes, isPartial: boolean) {
  const hint = line.childForFieldName('type')?.text ?? '';
  const { schema, isNullable } = pythonType(hint, named);
  const value = line.childForFieldName('right');
  const made = value?.type === 'call' && /^(?:\w+\.)?[Ff]ield\s*\(/.test(value.text) ? madeField(value) : undefined;
  const hasDefault = made ? made.hasDefault : value !== null;
  const said = made?.description;
  return {
    name: line.childForFieldName('left')?.text ?? '',
    schema: typeof said === 'string' ? { ...schema, description: said } : schema,
    isOptional: hasDefault || isNullable || (isPartial && !/^(?:\w+\.)?Required\b/.test(hint)),
  };
}

/** Parses the arguments of pydantic's `Field` and of the dataclasses' `field`. */
function madeField(call: SyntaxNode): { hasDefault: boolean; description: unknown } {
  const given = call.childForFieldName('arguments');
  const all = given ? namedChildren(given).filter(({ type }) => type !== 'comment') : [];
  const named = new Map(
    all.map((one) => [one.childForFieldName('name')?.text ?? '', one.childForFieldName('value')?.text] as const),
  );
  const first = all.find(({ type }) => type !== 'keyword_argument')?.text;
  const value = first ?? named.get('default') ?? named.get('default_factory');
  return { hasDefault: value !== undefined && value !== '...', description: literalOf(named.get('description') ?? '') };
}

function assignmentIn(statement: SyntaxNode): SyntaxNode[] {
  const [inner] = statement.type === 'expression_statement' ? namedChildren(statement) : [statement];
  return inner?.type === 'assignment' ? [inner] : [];
}

/** `None` by itself. */
const NONE: ValueType = { schema: {}, isNullable: true };
/** A deeper type is recursive, or too complex to be filled in. */
const DEEPEST = 8;
const SIMPLE: Readonly<Record<string, ValueType>> = {
  str: ofType('string'),
  bytes: ofType('string'),
  Path: ofType('string'),
  datetime: ofType('string'),
  date: ofType('string'),
  UUID: ofType('string'),
  Decimal: ofType('number'),
  int: ofType('integer'),
  float: ofType('number'),
  bool: ofType('boolean'),
  Any: ANYTHING,
  object: ANYTHING,
};
const LISTS: ReadonlySet<string> = new Set(
  'list List tuple Tuple set Set frozenset FrozenSet Sequence Iterable Collection Iterator'.split(' '),
);
const MAPS: ReadonlySet<string> = new Set(['dict', 'Dict', 'Mapping', 'MutableMapping', 'defaultdict', 'OrderedDict']);

/** Converts a Python type hint to a schema; unknown types allow anything. */
function pythonType(text: string, named: NamedTypes, depth = 0): ValueType {
  if (depth > DEEPEST) return ANYTHING;
  return union(new TokenReader(typeTokens(text)), named, depth);
}

/** Parses `int | None`. */
function union(reader: TokenReader, named: NamedTypes, depth: number): ValueType {
  const members: ValueType[] = [];
  let hasNone = false;
  do {
    const member = single(reader, named, depth);
    if (member === 'none') hasNone = true;
    else members.push(member);
  } while (reader.takes('|'));
  if (members.length === 0) return NONE;
  return members.length === 1 && !hasNone ? (members[0] ?? ANYTHING) : ofUnion(members, hasNone);
}

function single(reader: TokenReader, named: NamedTypes, depth: number): ValueType | 'none' {
  const token = reader.next();
  // Forward references are in quotes.
  if (token?.kind === 'text') return pythonType(token.value, named, depth + 1);
  if (token?.kind !== 'name') return ANYTHING;
  const name = token.value.replace(/^.*\./, '');
  if (name === 'None') return 'none';
  if (name === 'Literal' && reader.takes('[')) return literals(reader);
  const inner = reader.takes('[') ? argumentsOf(reader, named, depth + 1) : undefined;
  const [first = ANYTHING] = inner ?? [];
  if (name === 'Optional') return { ...first, isNullable: true };
  if (name === 'Union') {
    const members = (inner ?? []).filter((one) => one !== NONE);
    return ofUnion(members, members.length !== inner?.length);
  }
  if (['Annotated', 'Final', 'Required', 'ClassVar'].includes(name)) return first;
  if (name === 'NotRequired') return { ...first, isNullable: true };
  if (LISTS.has(name)) return ofType('array', inner ? { items: ofUnion(inner, false).schema } : {});
  if (MAPS.has(name)) return ofType('object', inner?.[1] ? { additionalProperties: inner[1].schema } : {});
  const known = Object.hasOwn(SIMPLE, name) ? SIMPLE[name] : undefined;
  return known ?? named(name) ?? ANYTHING;
}

/** Parses the arguments in brackets of `Dict[str, int]`; for `Tuple[int, ...]`, only the first. */
function argumentsOf(reader: TokenReader, named: NamedTypes, depth: number): ValueType[] {
  const found: ValueType[] = [];
  while (!reader.isDone && !reader.takes(']')) {
    if (reader.takes(',')) continue;
    if (reader.takes('...')) continue;
    // The parameter types of `Callable` are a nested list.
    if (reader.takes('[')) argumentsOf(reader, named, depth);
    else found.push(depth > DEEPEST ? skipped(reader) : union(reader, named, depth));
  }
  return found;
}

function skipped(reader: TokenReader): ValueType {
  reader.next();
  return ANYTHING;
}

function literals(reader: TokenReader): ValueType {
  const values: (string | number | boolean)[] = [];
  let isNullable = false;
  for (let token = reader.next(); token && !(token.kind === 'sign' && token.value === ']'); token = reader.next()) {
    if (token.kind === 'text') values.push(token.value);
    else if (token.kind === 'number') values.push(Number(token.value));
    else if (token.value === 'True' || token.value === 'False') values.push(token.value === 'True');
    else if (token.value === 'None') isNullable = true;
    else if (token.kind === 'name') values.push(token.value.replace(/^.*\./, ''));
  }
  return { schema: ofLiterals(values), isNullable };
}
