import { ANYTHING, type NamedTypes, ofLiterals, ofType, ofUnion, type ValueType } from './valueType';
import { TokenReader, typeTokens } from './typeTokens';

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
export function pythonType(text: string, named: NamedTypes, depth = 0): ValueType {
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
