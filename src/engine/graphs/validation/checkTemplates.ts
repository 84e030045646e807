import { itemNodes } from '../edges';
import { NEWER_VERSION } from '../format/readGraph';
import type { GraphNode, GraphVersion } from '../graph';
import { parseTemplate, pathOf, type Reference, referencesIn } from '../template';
import { reachedFromStart } from './checkWays';
import { type GraphCheck, inNode, STEPS_OF_ITEM } from './graphCheck';

/** Reports malformed references, and those to keys that nothing has written by the time they are read. */
export function checkTemplates(check: GraphCheck, isWhole: boolean): void {
  const { graph } = check;
  const keys = isWhole ? new KeysOnTheWay(check) : undefined;
  const reached = isWhole ? reachedFromStart(check) : undefined;
  for (const node of graph.nodes.values()) {
    for (const template of templatesOf(node, graph.version)) {
      checkForm(node, template, check);
      if (!keys || !reached?.has(node.id)) continue;
      for (const reference of template.references) checkReference(node, template, reference, { check, keys });
    }
  }
}

/** Text that resembles a reference: with inner spaces, dashes, filters, or empty. */
const LIKE_ONE = /\{\{([^{}]{0,200})\}\}/g;

function checkForm({ id }: GraphNode, { where, text, references }: NodeTemplate, { graph, found }: GraphCheck): void {
  const known = new Set(references.map(({ offset }) => offset));
  for (const { 0: words, 1: within = '', index } of text.matchAll(LIKE_ONE)) {
    if (known.has(index)) continue;
    const inner = within.replace(/^-/, '').replace(/-$/, '').trim();
    const place = { ...inNode(id, ...where), words };
    if (/^[\w.[\]]+$/.test(inner)) {
      const message = `“${words}” is left as is, because references cannot contain spaces. Write {{${inner}}}.`;
      found.add('warning', place, message, { written: words, instead: `{{${inner}}}` });
    } else if (/^[\w.[\]-]+$/.test(inner)) {
      const remedy = `Name the key with “_” instead of “-”: {{${inner.replaceAll('-', '_')}}}.`;
      found.add('warning', place, `“${words}” is left as is, because references cannot contain dashes. ${remedy}`);
    } else if (/^[\w.[\]]+:-/.test(inner) && graph.version === '1.0') {
      const remedy = 'Write version: "1.1" at the top.';
      found.add(
        'warning',
        place,
        `“${words}” is left as is: a default needs format version 1.1. ${remedy}`,
        NEWER_VERSION,
      );
    }
  }
}

function checkReference(
  node: GraphNode,
  { where, isStrict, own }: NodeTemplate,
  { path, default: instead }: Reference,
  { check, keys }: { check: GraphCheck; keys: KeysOnTheWay },
): void {
  const { found } = check;
  const place = { ...inNode(node.id, ...where), words: `{{${path}` };
  const steps = pathOf(path);
  if (!steps || steps.some((step) => typeof step === 'string' && /^\d+$/.test(step))) {
    const better = path.replace(/\.(\d+)(?=\.|\[|$)/g, '[$1]');
    const remedy = pathOf(better) && better !== path ? `Write {{${better}}}.` : 'Write it like {{key.inner[0]}}.';
    const cures = pathOf(better) && better !== path ? [{ written: `{{${path}`, instead: `{{${better}` }] : [];
    found.add('warning', place, `“${path}” is not a path to a value. ${remedy}`, ...cures);
    return;
  }
  const key = rootOf(path);
  if (instead !== undefined || own.has(key) || keys.mayHave(key, node)) return;
  const then = isStrict ? 'the run fails there' : 'it becomes empty';
  found.unknown('warning', place, {
    written: key,
    says: `Nothing writes “${key}” before “${node.id}”, so ${then}.`,
    known: keys.all(node),
    counts: (name) => keys.mayHave(name, node),
    remedy: 'Write it with an earlier node, or in initial_state.',
    form: (name) => `{{${name}${path.slice(key.length)}`,
  });
}

/** Determines which keys the state may have when a run reaches a node. */
class KeysOnTheWay {
  private readonly always: ReadonlySet<string>;
  private readonly writers = new Map<string, string[]>();
  /** Nodes that may write keys that the file does not declare. */
  private readonly open: readonly GraphNode[];
  /** Nodes that may continue at nodes they do not declare. */
  private readonly wandering: readonly Wanderer[];
  private readonly reached = new Map<string, Uint8Array>();
  private readonly items = new Map<string, ReadonlySet<string> | undefined>();

  constructor(private readonly check: GraphCheck) {
    const { graph, branches } = check;
    this.always = new Set(['initial_prompt', ...Object.keys(graph.initialState)]);
    // What a map's branch writes is not visible outside it.
    const lasting = [...graph.nodes.values()].filter(({ id }) => !branches.has(id));
    for (const node of lasting) {
      for (const key of writtenKeys(node)) {
        const others = this.writers.get(key);
        if (others) others.push(node.id);
        else this.writers.set(key, [node.id]);
      }
    }
    this.open = lasting.filter(isOpen);
    this.wandering = wanderers(check);
  }

  mayHave(key: string, { id }: GraphNode): boolean {
    if (this.always.has(key) || (this.itemsOf(id)?.has(key) ?? true)) return true;
    return this.placesOf(key)[this.check.ways.numberOf(id)] === 1;
  }

  /** Returns all keys that the file mentions, to suggest one for a misspelled name. */
  all(node: GraphNode): string[] {
    if (!this.check.found.mayTake(this.writers.size)) return [];
    return [...this.always, ...(this.itemsOf(node.id) ?? []), ...this.writers.keys()];
  }

  /** Marks the nodes that a run may reach after the key is written. */
  private placesOf(key: string): Uint8Array {
    const known = this.reached.get(key);
    if (known) return known;
    const { graph, ways, found } = this.check;
    const open = this.open.filter((node) => node.type !== 'script' || ways.mayName(node, key)).map(({ id }) => id);
    const isTold = found.mayTake(graph.nodes.size + this.open.length);
    const places = isTold
      ? this.placesAfter([...(this.writers.get(key) ?? []), ...open])
      : new Uint8Array(graph.nodes.size).fill(1);
    this.reached.set(key, places);
    return places;
  }

  /** A script that may continue anywhere reaches everything it mentions. */
  private placesAfter(from: readonly string[]): Uint8Array {
    const { ways } = this.check;
    const places = ways.markFrom(from);
    const told = new Set<string>();
    for (let before = -1; before < told.size;) {
      before = told.size;
      for (const { id, mentions } of this.wandering) {
        const isBehind = places[ways.numberOf(id)] === 1 || from.includes(id);
        if (!isBehind || told.has(id)) continue;
        told.add(id);
        for (const one of mentions) places[ways.numberOf(one)] = 1;
        ways.markFrom(mentions, places);
      }
    }
    return places;
  }

  /** Returns the keys that a node sees when it runs for an item; undefined if that takes too many steps to determine. */
  private itemsOf(id: string): ReadonlySet<string> | undefined {
    if (!this.items.has(id)) this.items.set(id, this.keysOfItems(id));
    return this.items.get(id);
  }

  private keysOfItems(id: string): Set<string> | undefined {
    const { branches, graph, found } = this.check;
    const keys = new Set<string>();
    for (const map of branches.get(id) ?? []) {
      const nodes = itemNodes(map, graph);
      if (!found.mayTake(nodes.length * STEPS_OF_ITEM)) return undefined;
      keys.add(map.as);
      // A fallback sees what the failed node before it wrote.
      for (const { id: before, updates } of nodes) {
        if (before === id) break;
        for (const { key } of updates) keys.add(key);
      }
    }
    return keys;
  }
}

/** Scripts may print any keys, and so may models with an output schema that lists none. */
function isOpen(node: GraphNode): boolean {
  if (node.type === 'script') return true;
  if (node.type !== 'llm' && node.type !== 'agent') return false;
  return node.outputSchema !== undefined && node.outputSchema['properties'] === undefined;
}

interface Wanderer {
  readonly id: string;
  /** The nodes that its text mentions. */
  readonly mentions: readonly string[];
}

function wanderers({ graph, ways, found }: GraphCheck): Wanderer[] {
  const ids = [...graph.nodes.keys()];
  return [...graph.nodes.values()].flatMap((node) => {
    if (!ways.mayGoElsewhere(node) || !found.mayTake(ids.length)) return [];
    return [{ id: node.id, mentions: ids.filter((id) => ways.mayName(node, id)) }];
  });
}

/** A template in a node. */
interface NodeTemplate {
  /** The keys that lead to it within the node. */
  readonly where: readonly PropertyKey[];
  readonly text: string;
  readonly references: readonly Reference[];
  /** Whether a missing value ends the run; otherwise it becomes empty. */
  readonly isStrict: boolean;
  /** Names that only this template sees, and keys that its node has written by then. */
  readonly own: ReadonlySet<string>;
}

type Written = readonly [where: readonly PropertyKey[], text: string | undefined, isStrict: boolean];

/** Names that a node's updates see in addition to the state. */
export const OWN_NAMES: Readonly<Record<GraphNode['type'], readonly string[]>> = {
  llm: ['output'],
  agent: ['output'],
  rag: ['output'],
  map: ['output'],
  approval: ['choice'],
  input: ['input'],
  command: ['command', 'exit_code', 'output'],
  script: [],
  end: [],
};

const NOTHING: ReadonlySet<string> = new Set();

/** Cached, since a node is checked again for each one that leads to it. */
const known = new WeakMap<GraphNode, readonly NodeTemplate[]>();

export function templatesOf(node: GraphNode, version: GraphVersion): readonly NodeTemplate[] {
  const templates = known.get(node) ?? readTemplates(node, version);
  known.set(node, templates);
  return templates;
}

function readTemplates(node: GraphNode, version: GraphVersion): NodeTemplate[] {
  const own = new Set([...OWN_NAMES[node.type], ...schemaKeysOf(node)]);
  const updates = node.updates.map(({ key, template }): Written => [['state_updates', key], template, false]);
  const after = node.type === 'end' ? new Set(node.updates.map(({ key }) => key)) : NOTHING;
  return [...parsed(textsOf(node), version, after), ...parsed(updates, version, own)];
}

function parsed(all: readonly Written[], version: GraphVersion, own: ReadonlySet<string>): NodeTemplate[] {
  return all.flatMap(([where, text, isStrict]) =>
    text === undefined || !text.includes('{{')
      ? []
      : [{ where, text, references: referencesIn(parseTemplate(text, version)), isStrict, own }],
  );
}

function textsOf(node: GraphNode): Written[] {
  switch (node.type) {
    case 'llm':
      return [
        [['prompt'], node.prompt, true],
        [['instructions'], node.instructions, true],
      ];
    case 'agent':
      return [[['prompt'], node.prompt, true]];
    case 'rag':
      return [[['query'], node.query, true]];
    case 'map':
      return [[['over'], node.over, true]];
    case 'input':
      return [
        [['question'], node.question, true],
        [['default'], node.default, false],
      ];
    case 'approval':
      return [[['question'], node.question, true]];
    case 'command':
      return [[['command'], node.command, true]];
    case 'end':
      return [[['output'], node.output, false]];
    case 'script':
      return [];
  }
}

/** Returns the keys that are written by an answer with a schema. */
export function schemaKeysOf(node: GraphNode): string[] {
  if (node.type !== 'llm' && node.type !== 'agent') return [];
  const properties = node.outputSchema?.['properties'];
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

/** Returns every key that a node writes according to the file. */
export function writtenKeys(node: GraphNode): Set<string> {
  const collected = node.type === 'map' ? [node.collectInto] : [];
  return new Set([...node.updates.map(({ key }) => key), ...schemaKeysOf(node), ...collected]);
}

/** Returns the state key that a reference starts with. */
export function rootOf(path: string): string {
  return /^\w*/.exec(path)?.[0] ?? '';
}
