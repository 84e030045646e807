import { matchesSequence } from './matching';

/** In characters. */
const LONGEST = 1000;
/** How many patterns without braces one with braces may stand for, and how many characters they may have together. */
const MOST_WAYS = 200;
const MOST_TOGETHER = 20_000;

/** What a pattern demands of one character, or of any number of them. */
type Step = '*' | ((sign: string) => boolean);
/** What a pattern demands of one part of a path, or of any number of them. */
type Part = '**' | ((name: string) => boolean);

/** A part with an exception: `!(*.test).ts`. */
const EXCEPT = /^([^()]*)!\(([^()]*)\)([^()]*)$/;

/**
 * Returns a function that tells whether a glob matches a path with `/` between its parts: `*`, `?`, `[a-z]`, `{a,b}`, `@(a|b)`,
 * `!(a|b)`, and `**` for any number of folders. Names that begin with a dot are no exception. Undefined for a glob with other
 * parentheses, one that is too long, and one that stands for too many others.
 *
 * The time is at most the product of both lengths, and with `!(…)` a few million steps for a name. Expressions as libraries make
 * them take years for ten stars and a long name, and globs come from models and repositories.
 */
export function pathGlob(glob: string): ((path: string) => boolean) | undefined {
  if (glob.length > LONGEST) return undefined;
  const plain = glob.replaceAll(/@\(([^()]*)\)/g, (_, list: string) => `{${list.replaceAll('|', ',')}}`);
  const all = withoutBraces(plain)?.map((way) => way.split('/'));
  const isKnown = all?.flat().every((part) => !/[?*+!@]\(/.test(part) || EXCEPT.test(part)) === true;
  if (!all || !isKnown) return undefined;
  const ways = all.map((parts) => parts.flatMap((part, at) => readPart(part, at === parts.length - 1)));
  return (path) => {
    const names = path.split('/');
    return ways.some((parts) => matchesSequence(parts, names, '**', (part, name) => part !== '**' && part(name)));
  };
}

/** Returns the globs that one with braces stands for; undefined if they are too many. */
function withoutBraces(glob: string): string[] | undefined {
  const done: string[] = [];
  const left = [glob];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const braces = firstBraces(next);
    if (braces) {
      const { start, end, choices } = braces;
      const [before, behind] = [next.slice(0, start), next.slice(end + 1)];
      left.push(...choices.map((choice) => before + choice + behind));
    } else done.push(next);
    const count = done.length + left.length;
    if (count > MOST_WAYS || count * glob.length > MOST_TOGETHER) return undefined;
  }
  return done;
}

/** Finds the first braces with a comma, and what is between their commas. Others stand for themselves. */
function firstBraces(glob: string): { start: number; end: number; choices: string[] } | undefined {
  const open: { start: number; commas: number[] }[] = [];
  let found: { start: number; end: number; choices: string[] } | undefined;
  for (let at = 0; at < glob.length; at++) {
    const sign = glob.charAt(at);
    if (sign === '\\') at++;
    else if (sign === '{') open.push({ start: at, commas: [] });
    else if (sign === ',') open.at(-1)?.commas.push(at);
    else if (sign === '}') {
      const { start, commas } = open.pop() ?? { start: at, commas: [] };
      if (commas.length === 0 || (found && found.start < start)) continue;
      const ends = [...commas, at];
      found = { start, end: at, choices: ends.map((end, index) => glob.slice((ends[index - 1] ?? start) + 1, end)) };
      if (open.length === 0) return found;
    }
  }
  return found;
}

function readPart(text: string, isLast: boolean): Part[] {
  // At the end, it stands for something in a folder, not for the folder.
  if (text === '**') return isLast ? ['**', () => true] : ['**'];
  // As in `**.ts`, which is also meant below folders.
  return text.startsWith('**') ? ['**', nameOf(text.slice(1))] : [nameOf(text)];
}

function nameOf(text: string): (name: string) => boolean {
  const [found, before = '', list = '', behind = ''] = EXCEPT.exec(text) ?? [];
  if (found === undefined) return oneName(text);
  const [isBefore, isBehind] = [oneName(before), oneName(behind)];
  const exceptions = list.split('|').map(oneName);
  const isAllowed = (name: string) => !exceptions.some((isException) => isException(name));
  return (name) => {
    const ends = Array.from({ length: name.length + 1 }, (_, at) => at);
    const starts = ends.filter((at) => isBefore(name.slice(0, at)));
    const rests = ends.filter((at) => isBehind(name.slice(at)));
    return starts.some((start) => rests.some((end) => end >= start && isAllowed(name.slice(start, end))));
  };
}

function oneName(text: string): (name: string) => boolean {
  const steps = stepsOf(text);
  return (name) => matchesSequence(steps, name, '*', (step, sign) => step !== '*' && step(sign));
}

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    const end = sign === '[' ? text.indexOf(']', at + 2) : -1;
    if (sign === '*') steps.push('*');
    else if (sign === '?') steps.push(() => true);
    else if (end > 0) {
      steps.push(oneOf(text.slice(at + 1, end)));
      at = end;
    } else {
      if (sign === '\\' && at + 1 < text.length) at++;
      const wanted = text.charAt(at);
      steps.push((one) => one === wanted);
    }
  }
  return steps;
}

/** Returns whether a character is one of a set such as `a-z_`, or, after `!` or `^`, none of it. */
function oneOf(set: string): (sign: string) => boolean {
  const isExcluded = /^[!^]/.test(set);
  const rest = isExcluded ? set.slice(1) : set;
  const ranges = [...rest.matchAll(/([^])-([^])|([^])/g)].map(
    ([, from, to, one = '']) => [from ?? one, to ?? one] as const,
  );
  return (sign) => ranges.some(([from, to]) => from <= sign && sign <= to) !== isExcluded;
}
