import { safeLine } from '../../src/base/shown/safeText';
import type { DrawnBox, DrawnWay } from '../../src/protocol/graphDrawing';
import type { GraphNodeView, GraphProblemView, GraphView } from '../../src/protocol/graphPage';
import { countWords } from '../ui/words';

/** How something is marked, beside its words. */
export type Mark = 'error' | 'warning' | 'missing' | 'group' | '';

/** What stands in a box, and what is told of it to those who do not see it. */
export interface BoxWords {
  readonly title: string;
  readonly line: string;
  readonly mark: Mark;
  /** All of it. */
  readonly label: string;
}

/** What is known of the nodes of a view, looked up by their ids. */
export class GraphWords {
  private readonly nodes: ReadonlyMap<string, GraphNodeView>;
  private readonly problems = new Map<string, GraphProblemView[]>();
  private readonly ways = new Map<string, DrawnWay[]>();

  constructor(view: GraphView) {
    this.nodes = new Map(view.nodes.map((node) => [node.id, node]));
    for (const problem of view.problems) if (problem.node !== null) add(this.problems, problem.node, problem);
    for (const way of view.ways) add(this.ways, way.from, way);
  }

  ofBox({ id, members }: DrawnBox): BoxWords {
    return members ? this.ofGroup(members) : this.ofNode(id);
  }

  ofNode(id: string): BoxWords {
    const node = this.nodes.get(id);
    const problems = this.problems.get(id) ?? [];
    const title = nameOf(id);
    const type = safeLine(node?.type ?? '', 60);
    const about = [type, safeLine(node?.description ?? '', 300)].filter((one) => one !== '').join(' · ');
    if (node?.isMissing) return { title, line: 'not in the file', mark: 'missing', label: `${title}, not in the file` };
    const [first] = problems;
    const isError = problems.some((one) => one.isError);
    const said = problems.map(({ text }) => safeLine(text, 500)).join(' ');
    const line = first ? safeLine(first.text, 300) : about;
    const mark = first ? (isError ? 'error' : 'warning') : '';
    const counted = first ? countWords(problems.length, 'problem') : '';
    const label = [title, about, counted && `${counted}: ${said}`, this.goesTo(id)];
    return { title, line, mark, label: sentences(label) };
  }

  /** "next: write; on failure: stop". */
  goesTo(id: string): string {
    const ways = this.ways.get(id) ?? [];
    if (ways.length === 0) return '';
    return `Goes to ${ways.map(({ to, label }) => (label === undefined ? nameOf(to) : `${nameOf(to)} (${safeLine(label, 100)})`)).join(', ')}`;
  }

  private ofGroup(members: readonly string[]): BoxWords {
    const title = countWords(members.length, 'node');
    const wrong = members.filter((id) => this.problems.has(id)).length;
    const names = members.map((id) => nameOf(id)).join(', ');
    const line = wrong > 0 ? `${wrong} with problems` : safeLine(names, 300);
    const label = [`Group of ${title}`, wrong > 0 ? line : '', safeLine(names, 1000)];
    return { title, line, mark: wrong > 0 ? 'error' : 'group', label: sentences(label) };
  }
}

/** A name that may be empty, or of blanks. */
export function nameOf(id: string): string {
  const name = safeLine(id, 200, 'exact');
  return name.trim() === '' ? `“${name}”` : name;
}

function add<T>(to: Map<string, T[]>, key: string, value: T): void {
  const known = to.get(key);
  if (known) known.push(value);
  else to.set(key, [value]);
}

function sentences(parts: readonly string[]): string {
  return parts
    .filter((one) => one !== '')
    .map((one) => one.replace(/\.$/, ''))
    .join('. ');
}
