import type { GraphNode } from '../graph';
import { pathOf } from '../state/statePath';
import type { Reference } from '../state/template';
import { itemNodes } from '../itemNodes';
import { reachedFromStart } from './checkWays';
import { type GraphCheck, inNode, STEPS_OF_ITEM } from './graphCheck';
import { type NodeTemplate, rootOf, templatesOf, writtenKeys } from './templatesOf';
import { NEWER_VERSION } from '../format/remedies';

/** References that are none, and such as nothing has written by the time that they are read. */
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

/** What looks like a reference: with inner spaces, dashes, filters, or nothing in it. */
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

/** Which keys the state may have when a run comes to a node. */
class KeysOnTheWay {
  private readonly always: ReadonlySet<string>;
  private readonly writers = new Map<string, string[]>();
  /** They may write what no file says. */
  private readonly open: readonly GraphNode[];
  /** They may go where nothing declares it. */
  private readonly wandering: readonly Wanderer[];
  private readonly reached = new Map<string, Uint8Array>();
  private readonly items = new Map<string, ReadonlySet<string> | undefined>();

  constructor(private readonly check: GraphCheck) {
    const { graph, branches } = check;
    this.always = new Set(['initial_prompt', ...Object.keys(graph.initialState)]);
    // What a branch writes stays within it.
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

  /** Those that the file says anywhere, for whoever meant another one. */
  all(node: GraphNode): string[] {
    if (!this.check.found.mayTake(this.writers.size)) return [];
    return [...this.always, ...(this.itemsOf(node.id) ?? []), ...this.writers.keys()];
  }

  /** Where a run may come to once the key is written. */
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

  /** Behind a script that may go anywhere everything comes that it mentions. */
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

  /** What it sees as the node of an item; undefined where that is too much to be looked through. */
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
      // What stands in for a node sees what that one wrote of its failure.
      for (const { id: before, updates } of nodes) {
        if (before === id) break;
        for (const { key } of updates) keys.add(key);
      }
    }
    return keys;
  }
}

/** Scripts print what they like, and so do models whose schema names no keys. */
function isOpen(node: GraphNode): boolean {
  if (node.type === 'script') return true;
  if (node.type !== 'llm' && node.type !== 'agent') return false;
  return node.outputSchema !== undefined && node.outputSchema['properties'] === undefined;
}

interface Wanderer {
  readonly id: string;
  /** The nodes that its text names. */
  readonly mentions: readonly string[];
}

function wanderers({ graph, ways, found }: GraphCheck): Wanderer[] {
  const ids = [...graph.nodes.keys()];
  return [...graph.nodes.values()].flatMap((node) => {
    if (!ways.mayGoElsewhere(node) || !found.mayTake(ids.length)) return [];
    return [{ id: node.id, mentions: ids.filter((id) => ways.mayName(node, id)) }];
  });
}
