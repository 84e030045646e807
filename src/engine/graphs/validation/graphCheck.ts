import { nearest } from '../../../base/matching';
import type { ContentProblem, Meant, Remedy } from '../../content/contentProblem';
import type { YamlSource } from '../../content/yamlSource';
import type { GraphFields } from '../format/graphFields';
import type { Graph, GraphVersion, MapNode } from '../graph';
import type { GraphWorld } from './graphWorld';
import type { Ways } from './ways';

/** The state of a graph's validation. */
export interface GraphCheck {
  readonly graph: Graph;
  /** As written. */
  readonly fields: GraphFields;
  readonly world: GraphWorld;
  readonly ways: Ways;
  readonly found: Findings;
  /** Ids of all nodes, including those that could not be read. */
  readonly ids: readonly string[];
  /** Nodes that maps run for their items, including fallbacks → these maps. */
  readonly branches: ReadonlyMap<string, readonly MapNode[]>;
}

/** Number of steps charged for checking a node that runs for the items of a map. */
export const STEPS_OF_ITEM = 10;

/** Returns the value of a node's key as written in the file. */
export function writtenOf({ fields }: Pick<GraphCheck, 'fields'>, node: string, key: string): unknown {
  return Object.hasOwn(fields.nodes, node) ? fields.nodes[node]?.[key] : undefined;
}

/** Returns a place inside a node. */
export function inNode(node: string, ...where: readonly PropertyKey[]): FilePlace {
  return { where: ['nodes', node, ...where] };
}

/** Returns the place of a node's id. */
export function nodeItself(node: string): FilePlace {
  return { where: ['nodes', node], part: 'key' };
}

/** Formats names as `a, b and c`, each in quotes; lists only the first `most` names. */
export function named(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** A problem in a graph. */
export interface GraphFinding extends ContentProblem {
  /** The id of the node that contains it. */
  readonly node?: string;
}

type Severity = GraphFinding['severity'];

/** A place in the file, given by the keys and indexes that lead to it. */
export interface FilePlace {
  readonly where: readonly PropertyKey[];
  /** Default: the value. */
  readonly part?: 'key' | 'value';
  /** The part of a longer text that is meant. */
  readonly words?: string;
}

/** A replacement for a word, or a change elsewhere in the file. */
type Cure = Meant | Remedy;

/** A name that does not exist. */
interface UnknownName {
  readonly written: string;
  /** A sentence that reports the problem. */
  readonly says: string;
  readonly known: Iterable<string>;
  /** Whether a similar known name is a valid suggestion; default: all are. */
  readonly counts?: (name: string) => boolean;
  /** What to do if no similar name exists. */
  readonly remedy: string;
  /** How names appear in the text; default: unchanged. */
  readonly form?: (name: string) => string;
}

/** Maximum number of steps to check one graph: enough for thousands of nodes, and still fast. */
const MOST_STEPS = 20_000_000;
const MOST_FINDINGS = 1000;
/** Beyond this number further findings help nobody, and each takes time to locate. */
const MOST_ERRORS = 5000;

/** Collects the problems of a graph with their places. */
export class Findings {
  readonly all: GraphFinding[] = [];
  private steps = 0;

  constructor(
    private readonly yaml: YamlSource,
    private readonly version: GraphVersion,
  ) {}

  /** Whether the limit is reached, so that nothing more is added. */
  get isFull(): boolean {
    return this.all.length >= MOST_ERRORS;
  }

  /**
   * Severity of what is certain to fail even though the original format accepts it: an error only if the file is not in the
   * original format.
   */
  get hole(): Severity {
    return this.version === '1.0' ? 'warning' : 'error';
  }

  /** Adds a finding. `cures`: alternative fixes, each of which solves the problem by itself. */
  add(severity: Severity, place: FilePlace, message: string, ...cures: readonly Cure[]): void {
    const remedies = cures.filter((one) => 'kind' in one);
    const [meant] = cures.filter((one) => 'written' in one);
    this.put(severity, place, { message, ...(meant && { meant }), ...(remedies.length > 0 && { remedies }) });
  }

  unknown(severity: Severity, place: FilePlace, name: UnknownName): void {
    const { written, says, known, counts, remedy, form = asItIs } = name;
    if (this.isFull) return;
    const instead = this.nearestOf(written, known, counts);
    if (instead === undefined) {
      this.put(severity, place, { message: `${says} ${remedy}` });
      return;
    }
    const meant = { written: form(written), instead: form(instead) };
    this.put(severity, place, { message: `${says} Did you mean “${instead}”?`, meant });
  }

  /** Spends steps of the budget for one graph; false if it is exhausted. */
  mayTake(steps: number): boolean {
    this.steps += steps;
    return this.steps <= MOST_STEPS;
  }

  /** Returns the findings in file order. */
  sorted(): GraphFinding[] {
    if (this.steps > MOST_STEPS) {
      const message = 'This graph is too large to be checked completely. Split it into several agents.';
      this.put('warning', { where: ['nodes'], part: 'key' }, { message });
    }
    return this.all.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  private put(severity: Severity, place: FilePlace, said: Pick<GraphFinding, 'message' | 'meant' | 'remedies'>): void {
    if (this.isFull || (this.all.length >= MOST_FINDINGS && severity !== 'error')) return;
    const { where, part = 'value', words } = place;
    const [field, node] = where;
    this.all.push({
      kind: 'schema',
      severity,
      path: this.yaml.path,
      ...this.yaml.position(where, part, words),
      ...said,
      ...(field === 'nodes' && typeof node === 'string' && { node }),
    });
  }

  private nearestOf(word: string, known: Iterable<string>, counts?: UnknownName['counts']): string | undefined {
    const names = [...known];
    return this.mayTake(names.length * word.length) ? nearest(word, names, counts) : undefined;
  }
}

const asItIs = (name: string): string => name;
