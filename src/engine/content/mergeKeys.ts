import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
} from 'yaml';
import { isRecord } from '../../base/isRecord';

/** The merge key of YAML 1.1: its value is a map, or a list of maps, whose entries are added to the map around it. */
export const MERGE = '<<';

/**
 * Applies the merge keys in acyclic plain data, in place. A map's own entries take precedence, then those of earlier sources. A
 * merge key with any other value remains an ordinary key. Throws if more than `most` entries would be added: each alias can
 * multiply them. Returns whether anything was merged.
 */
export function applyMerges(data: unknown, most: number): boolean {
  const seen = new Set<unknown>();
  let added = 0;
  const visitValue = (value: unknown): void => {
    if (!isRecord(value) || seen.has(value)) return;
    seen.add(value);
    for (const inner of Object.values(value)) visitValue(inner);
    const sources = Array.isArray(value) ? [] : sourcesIn(value);
    for (const source of sources) added += Object.keys(source).length;
    if (added > most) throw new Error(`The merge keys here add more than ${most.toLocaleString('en')} values`);
    if (sources.length > 0) merge(value, sources);
  };
  visitValue(data);
  return added > 0;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => isRecord(value) && !Array.isArray(value);

function sourcesIn(map: Fields): readonly Fields[] {
  const source = Object.hasOwn(map, MERGE) ? map[MERGE] : undefined;
  const all: readonly unknown[] = Array.isArray(source) ? source : [source];
  return all.every(isFields) ? all : [];
}

/** The added entries take the place of the merge key, since the order of some maps matters. */
function merge(map: Fields, sources: readonly Fields[]): void {
  const own = Object.entries(map);
  const names = new Set(own.map(([key]) => key));
  for (const [key] of own) Reflect.deleteProperty(map, key);
  for (const [key, value] of own) {
    if (key !== MERGE) put(map, key, value);
    else
      for (const source of sources) {
        for (const [name, inner] of Object.entries(source)) {
          if (!names.has(name) && !Object.hasOwn(map, name)) put(map, name, inner);
        }
      }
  }
}

/** An assignment would lose a key such as `__proto__`. */
function put(map: Fields, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Yields the maps that are merged into a map, directly or through others, in order of precedence. */
export function* mergedInto(map: YAMLMap, document: Document): Generator<YAMLMap, void> {
  const seen = new Set<unknown>([map]);
  const waiting = sourcesOf(map, document).reverse();
  for (let source = waiting.pop(); source; source = waiting.pop()) {
    if (seen.has(source)) continue;
    seen.add(source);
    yield source;
    for (const one of sourcesOf(source, document).reverse()) waiting.push(one);
  }
}

function sourcesOf({ items }: YAMLMap, document: Document): YAMLMap[] {
  const { value } = items.find(({ key }) => isScalar(key) && key.value === MERGE) ?? {};
  const source = targetOf(value, document);
  const all = isSeq(source) ? source.items.map((item) => targetOf(item, document)) : [source];
  return all.every((one) => isMap(one)) ? all : [];
}

function targetOf(value: unknown, document: Document): unknown {
  return isAlias(value) ? targetsOf(document).get(value) : value;
}

const known = new WeakMap<Document, ReadonlyMap<Alias, Node>>();

/** Returns what each alias stands for. The library looks through the whole document for each of them. */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const before = known.get(document);
  if (before) return before;
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchored.get(node.source);
        if (target) targets.set(node, target);
      } else if (isNode(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  known.set(document, targets);
  return targets;
}
