import { nearest } from '../../../base/nearest';
import type { ContentProblem, Meant, Remedy } from '../../content/contentProblem';
import type { YamlSource } from '../../content/yamlSource';
import type { GraphVersion } from '../graph';

/** What is wrong with a graph, and where. */
export interface GraphFinding extends ContentProblem {
  /** The id of the node that it stands in. */
  readonly node?: string;
}

type Severity = GraphFinding['severity'];

/** A value of the file by the keys and indexes that lead there. */
export interface FilePlace {
  readonly where: readonly PropertyKey[];
  /** Default: the value. */
  readonly part?: 'key' | 'value';
  /** What is meant of a longer text. */
  readonly words?: string;
}

/** Another word in the place of one, or a change elsewhere. */
type Cure = Meant | Remedy;

/** A name of something that is not there. */
export interface UnknownName {
  readonly written: string;
  /** A sentence that says so. */
  readonly says: string;
  readonly known: Iterable<string>;
  /** Asked of those of them that may be meant; default: all may. */
  readonly counts?: (name: string) => boolean;
  /** What to do when nothing of a similar name is there. */
  readonly remedy: string;
  /** How names stand in the text; default: as they are. */
  readonly form?: (name: string) => string;
}

/** So many steps are taken to look through one graph: enough for thousands of nodes, and over in a moment. */
const MOST_STEPS = 20_000_000;
const MOST_FINDINGS = 1000;
/** Of these nobody reads as many; each takes a moment to be placed. */
const MOST_ERRORS = 5000;

/** Collects what is wrong with a graph, each with its place. */
export class Findings {
  readonly all: GraphFinding[] = [];
  private steps = 0;

  constructor(
    private readonly yaml: YamlSource,
    private readonly version: GraphVersion,
  ) {}

  /** Nothing is added any more. */
  get isFull(): boolean {
    return this.all.length >= MOST_ERRORS;
  }

  /** What certainly fails, though the original took it: an error only where a file is not written for the original. */
  get hole(): Severity {
    return this.version === '1.0' ? 'warning' : 'error';
  }

  /** `cures`: what would put it right by itself. */
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

  /** Takes so many of the steps that one graph may take; false when they are used up. */
  mayTake(steps: number): boolean {
    this.steps += steps;
    return this.steps <= MOST_STEPS;
  }

  /** In the order of the file. */
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
