import { t } from '../../src/base/l10n';
import { memoizeByObject } from '../../src/base/memoizeByObject';
import { safeLine } from '../../src/base/shown/safeText';
import type { DrawnBox, DrawnWay, GraphDrawing } from '../../src/protocol/graphDrawing';
import type { BranchItems, GraphNodeView, GraphProblemView, GraphView, VisitView } from '../../src/protocol/graphPage';
import { isAtWork, itemWords, latestVisits, RUN_WORDS, visitFacts } from './visitWords';

/** How something is marked, in addition to its text. */
type Mark = 'error' | 'warning' | 'missing' | 'group' | VisitView['state'] | 'skipped' | 'unreached' | 'waiting' | '';

/** The text in a box, and its description for screen readers. */
export interface BoxWords {
  readonly title: string;
  readonly line: string;
  /** A longer version, where there is room. */
  readonly about: string;
  readonly mark: Mark;
  /** The full description. */
  readonly label: string;
}

/** Texts for the nodes of a view, by id. */
export class GraphWords {
  /** Each node's last visit, and the number of visits. */
  private readonly visits: ReadonlyMap<string, { last: VisitView; count: number }>;
  /** Item counts by the nodes that maps run for their items. */
  private readonly items = new Map<string, BranchItems & { isOver: boolean }>();

  constructor(
    private readonly view: GraphView,
    private readonly now: number,
  ) {
    this.visits = latestVisits(view.run?.visits ?? []);
    for (const { last } of this.visits.values()) {
      const isOver = !isAtWork(last.state);
      for (const branch of last.branches) this.items.set(branch.node, Object.assign({ isOver }, branch));
    }
  }

  ofBox({ id, members }: DrawnBox): BoxWords {
    return members ? this.ofGroup(members) : this.ofNode(id);
  }

  /** Returns the indexes of the lines that the run took. */
  taken({ boxes, lines }: GraphDrawing): number[] {
    const boxOf = new Map(boxes.flatMap(({ id, members }) => (members ?? [id]).map((node) => [node, id] as const)));
    const ends = new Map<string | undefined, Set<string | undefined>>();
    for (const { node, targets } of this.view.run?.visits ?? []) {
      const known = ends.get(boxOf.get(node)) ?? new Set();
      ends.set(boxOf.get(node), known);
      for (const to of targets) known.add(boxOf.get(to));
    }
    return lines.flatMap(({ from, to }, at) => (ends.get(from)?.has(to) ? [at] : []));
  }

  ofNode(id: string): BoxWords {
    return this.view.run ? this.ofRun(id) : this.ofFile(id);
  }

  private ofRun(id: string): BoxWords {
    const title = nameOf(id);
    const visit = this.visits.get(id);
    if (!visit) {
      const items = this.items.get(id);
      const mark = this.markOf(id);
      const line = items ? itemWords(items, items.isOver) : MARK_WORDS[mark]();
      return { title, line, about: line, mark, label: `${title}, ${line}` };
    }
    const { last, count } = visit;
    const facts = visitFacts(last, this.now);
    const times = count > 1 ? t('run {0} times', count) : '';
    const all = [RUN_WORDS[last.state](), ...facts, times].filter((one) => one !== '');
    // The sign already says so, and space is limited.
    const line = (last.state === 'done' ? all.slice(1) : all).join(' · ');
    const said = last.message === null ? '' : safeLine(last.message, 500);
    const about = [...all, said].filter((one) => one !== '').join(' · ');
    const label = sentences([`${title}, ${all.join(' · ')}`, said, this.wentTo(last)]);
    return { title, line, about, mark: this.markOf(id), label };
  }

  private markOf(id: string): (typeof GROUP_MARKS)[number] {
    const visit = this.visits.get(id);
    if (visit) return visit.last.state;
    const items = this.items.get(id);
    return items ? itemMark(items) : this.markOfNone();
  }

  /** Returns the mark of a node that did not run: the run ended without it, may still reach it, or stopped before it. */
  private markOfNone(): 'skipped' | 'waiting' | 'unreached' {
    const state = this.view.run?.state;
    if (state !== undefined && isAtWork(state)) return 'waiting';
    return state === 'completed' ? 'skipped' : 'unreached';
  }

  private wentTo({ targets }: VisitView): string {
    return targets.length === 0 ? '' : t('Went to {0}', targets.map((id) => nameOf(id)).join(', '));
  }

  private ofFile(id: string): BoxWords {
    const node = nodesOf(this.view.nodes).get(id)?.[0];
    const problems = problemsOf(this.view.problems).get(id) ?? [];
    const title = nameOf(id);
    const type = safeLine(node?.type ?? '', 60);
    const about = [type, safeLine(node?.description ?? '', 300)].filter((one) => one !== '').join(' · ');
    if (node?.isMissing) {
      const line = t('not in the file');
      return { title, line, about: line, mark: 'missing', label: `${title}, ${line}` };
    }
    const [first] = problems;
    const isError = problems.some((one) => one.isError);
    const said = problems.map(({ text }) => safeLine(text, 500)).join(' ');
    const line = first ? safeLine(first.text, 300) : about;
    const mark = first ? (isError ? 'error' : 'warning') : '';
    const count = problems.length;
    const counted = first ? (count === 1 ? t('1 problem: {0}', said) : t('{0} problems: {1}', count, said)) : '';
    const label = [title, about, counted, this.goesTo(id)];
    return { title, line, about: line, mark, label: sentences(label) };
  }

  /** Returns where a node leads, for example "Goes to write, stop (no)". */
  goesTo(id: string): string {
    const ways = waysOf(this.view.ways).get(id) ?? [];
    if (ways.length === 0) return '';
    return t(
      'Goes to {0}',
      ways
        .map(({ to, label }) => (label === undefined ? nameOf(to) : `${nameOf(to)} (${safeLine(label, 100)})`))
        .join(', '),
    );
  }

  private ofRunGroup(title: string, members: readonly string[]): BoxWords {
    const states = members.map((id) => this.markOf(id));
    const mark = GROUP_MARKS.find((one) => states.includes(one)) ?? 'group';
    const counts = GROUP_MARKS.map((one) => [one, states.filter((state) => state === one).length] as const);
    const line = counts.flatMap(([one, count]) => (count > 0 ? [`${count} ${MARK_WORDS[one]()}`] : [])).join(', ');
    return { title, line, about: line, mark, label: t('Group of {0}: {1}', title, line) };
  }

  private ofGroup(members: readonly string[]): BoxWords {
    const count = members.length;
    const title = count === 1 ? t('1 node') : t('{0} nodes', count);
    if (this.view.run) return this.ofRunGroup(title, members);
    const wrong = members.filter((id) => problemsOf(this.view.problems).has(id)).length;
    const names = members.map((id) => nameOf(id)).join(', ');
    const line = wrong > 0 ? t('{0} with problems', wrong) : safeLine(names, 300);
    const label = [t('Group of {0}', title), wrong > 0 ? line : '', safeLine(names, 1000)];
    return { title, line, about: line, mark: wrong > 0 ? 'error' : 'group', label: sentences(label) };
  }
}

/** The marks of a group, most important first. */
const GROUP_MARKS = [
  'asking',
  'failed',
  'running',
  'stopped',
  'around',
  'done',
  'waiting',
  'unreached',
  'skipped',
] as const;

/** Returns the most important state among a node's items. */
function itemMark({ failed, begun, stopped, around, done, isOver }: BranchItems & { isOver: boolean }) {
  if (failed > 0) return 'failed';
  if (begun > 0) return 'running';
  if (stopped > 0) return 'stopped';
  if (around > 0) return 'around';
  return done > 0 ? 'done' : isOver ? 'unreached' : 'waiting';
}

/** Conveys states without relying on color alone. */
export const SIGNS: Readonly<Record<Mark, string>> = {
  error: '✗ ',
  warning: '⚠ ',
  missing: '✗ ',
  running: '▸ ',
  asking: '? ',
  done: '✓ ',
  around: '↷ ',
  failed: '✗ ',
  stopped: '■ ',
  skipped: '– ',
  unreached: '– ',
  waiting: '',
  group: '',
  '': '',
};

/** Preceded by the number of a group's nodes in that state. */
const MARK_WORDS: Readonly<Record<(typeof GROUP_MARKS)[number], () => string>> = {
  ...RUN_WORDS,
  asking: () => t('asking'),
  around: () => t('around by fallback'),
  waiting: () => t('waiting'),
  unreached: () => t('not reached'),
  skipped: () => t('skipped'),
};

/** Returns a name in displayable form, in quotes if it is empty or blank. */
export function nameOf(id: string): string {
  const name = safeLine(id, 200, 'exact');
  return name.trim() === '' ? `“${name}”` : name;
}

export function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

const nodesOf = memoizeByObject((all: readonly GraphNodeView[]) => grouped(all, ({ id }) => id));
const problemsOf = memoizeByObject((all: readonly GraphProblemView[]) => grouped(all, ({ node }) => node));
const waysOf = memoizeByObject((all: readonly DrawnWay[]) => grouped(all, ({ from }) => from));

function sentences(parts: readonly string[]): string {
  return parts
    .filter((one) => one !== '')
    .map((one) => one.replace(/\.$/, ''))
    .join('. ');
}
