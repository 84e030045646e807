import { type Node, NotLinear, readExpression } from './readExpression';

export { NotLinear } from './readExpression';

/** Maximum size of an expression, with its repetitions written out. */
const MOST_STEPS = 10_000;
/** Maximum product of the sizes of expression and text: some tenths of a second. */
const MOST_WORK = 5_000_000;

type Step =
  | { kind: 'sign'; fits: (sign: string) => boolean; next: number }
  | { kind: 'split'; to: readonly number[] }
  | { kind: 'place'; holds: (before: string | undefined, after: string | undefined) => boolean; next: number }
  | { kind: 'look'; look: number; isNegated: boolean; next: number };

interface Program {
  start: number;
  isBackward: boolean;
}

/** Where a program leads in the end, instead of to a step. */
const END = -1;

/**
 * Returns whether an expression of JavaScript matches somewhere in a text, as `test` of a `RegExp` does. The time is at most the
 * product of both sizes, since all ways to match are followed at once: the engine of the language tries one after the other and may
 * take years for (a+)+$, and expressions come from repositories.
 *
 * `flags` may have i, m, s, and u. Throws SyntaxError for what is no expression, and NotLinear for back references and expressions
 * that are too large. The returned function throws NotLinear for texts that are too long for the expression.
 */
export function linearExpression(source: string, flags = ''): (text: string) => boolean {
  // The reader below expects a valid one.
  new RegExp(source, flags);
  const compiler = new Compiler();
  const whole = compiler.program(readExpression(source, flags), false);
  const { steps, looks } = compiler;
  return (text) => {
    const signs = flags.includes('u') ? Array.from(text) : text.split('');
    if ((signs.length + 1) * (steps.length + 1) > MOST_WORK)
      throw new NotLinear(`It is too large for a text of ${signs.length} characters.`);
    const seen: Uint8Array[] = [];
    // Each one contains only those before it.
    for (const look of looks) seen.push(endsOf(look, steps, signs, seen));
    return endsOf(whole, steps, signs, seen).includes(1);
  };
}

class Compiler {
  readonly steps: Step[] = [];
  /** What is looked for ahead and behind, inner ones first. */
  readonly looks: Program[] = [];
  private work = 0;

  program(node: Node, isBackward: boolean): Program {
    return { start: this.compile(node, END, isBackward), isBackward };
  }

  /** Returns the first step of a node whose last leads to `next`. */
  private compile(node: Node, next: number, isBackward: boolean): number {
    if (++this.work > MOST_STEPS) throw new NotLinear('It is too large, with its repetitions written out.');
    switch (node.kind) {
      case 'sign':
        return this.add({ kind: 'sign', fits: node.fits, next });
      case 'place':
        return this.add({ kind: 'place', holds: node.holds, next });
      case 'choice':
        return this.add({ kind: 'split', to: node.nodes.map((one) => this.compile(one, next, isBackward)) });
      case 'sequence':
        return (isBackward ? node.nodes : node.nodes.toReversed()).reduce(
          (after, one) => this.compile(one, after, isBackward),
          next,
        );
      case 'repeat':
        return this.repeat(node, next, isBackward);
      case 'look': {
        const program = this.program(node.node, !node.isBehind);
        this.looks.push(program);
        return this.add({ kind: 'look', look: this.looks.length - 1, isNegated: node.isNegated, next });
      }
    }
  }

  private repeat({ node, least, most }: Extract<Node, { kind: 'repeat' }>, next: number, isBackward: boolean): number {
    let first = next;
    if (most === Infinity) {
      const to = [next];
      first = this.add({ kind: 'split', to });
      to.push(this.compile(node, first, isBackward));
    }
    const optional = most === Infinity ? 0 : most - least;
    for (let at = 0; at < optional; at++)
      first = this.add({ kind: 'split', to: [next, this.compile(node, first, isBackward)] });
    for (let at = 0; at < least; at++) first = this.compile(node, first, isBackward);
    return first;
  }

  private add(step: Step): number {
    return this.steps.push(step) - 1;
  }
}

/** Marks the positions where a program ends that started at any position. */
function endsOf(
  { start, isBackward }: Program,
  steps: readonly Step[],
  signs: readonly string[],
  seen: readonly Uint8Array[],
): Uint8Array {
  const ends = new Uint8Array(signs.length + 1);
  /** The position, plus one, at which a step was reached last. */
  const reachedAt = new Uint32Array(steps.length);
  let current: number[] = [start];
  for (let at = 0; at <= signs.length; at++) {
    const place = isBackward ? signs.length - at : at;
    const after: number[] = [start];
    const sign = signs[isBackward ? place - 1 : place];
    for (let number = current.pop(); number !== undefined; number = current.pop()) {
      if (number === END) ends[place] = 1;
      const step = steps[number];
      if (!step || reachedAt[number] === at + 1) continue;
      reachedAt[number] = at + 1;
      if (step.kind === 'split') for (const one of step.to) current.push(one);
      else if (step.kind === 'sign') {
        if (sign !== undefined && step.fits(sign)) after.push(step.next);
      } else if (holds(step, place, signs, seen)) current.push(step.next);
    }
    current = after;
  }
  return ends;
}

function holds(
  step: Extract<Step, { kind: 'place' | 'look' }>,
  place: number,
  signs: readonly string[],
  seen: readonly Uint8Array[],
): boolean {
  if (step.kind === 'place') return step.holds(signs[place - 1], signs[place]);
  return (seen[step.look]?.[place] === 1) !== step.isNegated;
}
