/** The parts of a graph that can be recognized line by line, since a file is rarely valid YAML while it is being edited. */
export interface GraphOutline {
  readonly version: string;
  /** In file order. */
  readonly nodes: readonly OutlinedNode[];
  /** The state keys, with the nodes that write them. */
  readonly keys: readonly { name: string; description: string }[];
}

export interface OutlinedNode {
  readonly id: string;
  readonly type: string | undefined;
  readonly description: string | undefined;
}

interface Line {
  readonly indent: number;
  readonly key: string;
  readonly value: string;
}

const KEY_LINE = /^( *)("[^"]*"|'[^']*'|[^\s:#"'{[&*!|>-][^:#]*?)\s*:(?:\s+(.*))?$/;

export function outlineOf(text: string): GraphOutline {
  const lines = text.split(/\r?\n/).flatMap((line) => readLine(line) ?? []);
  const top = sections(lines, 0);
  const nodes = [...(top.get('nodes') ?? new Map<string, Line[]>())].map(([id, own]) => nodeOf(id, own));
  const version = lines.find(({ indent, key }) => indent === 0 && key === 'version')?.value ?? '1.0';
  const initial = [...(top.get('initial_state')?.keys() ?? [])].map((name) => ({ name, by: 'initial_state' }));
  const written = nodes.flatMap(({ id, writes }) => writes.map((name) => ({ name, by: id })));
  const writers = new Map<string, string[]>([['initial_prompt', ['the user']]]);
  for (const { name, by } of [...initial, ...written]) {
    const others = writers.get(name);
    if (others) others.push(by);
    else writers.set(name, [by]);
  }
  return {
    version: unquoted(version.replace(/\s+#.*$/, '')),
    nodes: nodes.map(({ id, type, description }) => ({ id, type, description })),
    keys: [...writers].map(([name, by]) => ({ name, description: `Written by ${[...new Set(by)].join(', ')}` })),
  };
}

function readLine(line: string): Line | undefined {
  const [, spaces = '', key, value = ''] = KEY_LINE.exec(line.replaceAll('\t', ' ')) ?? [];
  return key === undefined ? undefined : { indent: spaces.length, key: unquoted(key), value: value.trim() };
}

/**
 * Returns outer key → inner key → the lines below it, starting with the line of the inner key. Keys in braces after an outer key
 * are included.
 */
function sections(lines: readonly Line[], outer: number): Map<string, Map<string, Line[]>> {
  const found = new Map<string, Map<string, Line[]>>();
  let inner: { indent: number; keys: Map<string, Line[]> } | undefined;
  let current: Line[] | undefined;
  for (const line of lines) {
    if (line.indent <= outer) {
      inner = { indent: -1, keys: new Map(inFlow(line.value).map(({ key }) => [key, []])) };
      found.set(line.key, inner.keys);
      current = undefined;
      continue;
    }
    if (!inner) continue;
    if (inner.indent < 0) inner.indent = line.indent;
    if (line.indent === inner.indent) inner.keys.set(line.key, (current = [line]));
    else if (line.indent > inner.indent) current?.push(line);
  }
  return found;
}

interface WritingNode extends OutlinedNode {
  readonly writes: readonly string[];
}

function nodeOf(id: string, [own, ...below]: readonly Line[]): WritingNode {
  const fields = [...inFlow(own?.value ?? ''), ...below.filter(({ indent }) => indent === below[0]?.indent)];
  const valueOf = (name: string) => {
    const value = fields.find(({ key }) => key === name)?.value;
    return value === undefined || value === '' ? undefined : unquoted(value.replace(/\s+#.*$/, ''));
  };
  const collected = valueOf('collect_into');
  return {
    id,
    type: valueOf('type'),
    description: valueOf('description'),
    writes: [
      ...innerKeys('state_updates', fields, below),
      ...innerKeys('properties', below, below),
      ...(collected === undefined ? [] : [collected]),
    ],
  };
}

/** Returns the keys one level below a key, from lines of their own or from braces. */
function innerKeys(name: string, among: readonly Pick<Line, 'key' | 'value'>[], lines: readonly Line[]): string[] {
  const at = lines.findIndex(({ key }) => key === name);
  const flow = among.find(({ key }) => key === name)?.value ?? '';
  const start = lines[at];
  if (!start || flow.startsWith('{')) return inFlow(flow).map(({ key }) => key);
  const end = lines.findIndex(({ indent }, index) => index > at && indent <= start.indent);
  const below = lines.slice(at + 1, end < 0 ? undefined : end);
  return below.filter(({ indent }) => indent === below[0]?.indent).map(({ key }) => key);
}

/** Returns the top-level keys and values in braces. */
function inFlow(value: string): { key: string; value: string }[] {
  if (!value.startsWith('{')) return [];
  const pairs: { key: string; value: string }[] = [];
  for (const part of partsOf(value.slice(1).replace(/\}\s*(?:#.*)?$/, ''))) {
    const [, key, inner] = /^\s*("[^"]*"|'[^']*'|[^\s:,{}[\]"']+)\s*:\s*(.*)$/s.exec(part) ?? [];
    if (key !== undefined && inner !== undefined) pairs.push({ key: unquoted(key), value: inner.trim() });
  }
  return pairs;
}

/** Splits at commas outside quotes and nested brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (sign !== ',' || depth > 0 || quote !== '') continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
