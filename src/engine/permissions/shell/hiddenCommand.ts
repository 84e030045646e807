import { dangerousForm } from './dangerousForms';
import { knownUse } from './knownUse';
import type { ShellPart, ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

/** Builtins that take text for arithmetic, or expand it once more. */
const EVALUATING =
  /^(test|\[|\[\[|printf|print|read|let|declare|typeset|local|integer|float|export|readonly|unset|exit|return|shift)$/;
/** Variables of zsh that say what names mean. */
const MEANINGS = /^(dis_)?([gs]?aliases|functions(_source)?|commands|builtins)(\[|\+?=)/;
const GIT_RUNS = /^(bisect|submodule|filter-branch|filter-repo|difftool|mergetool)$/;

/**
 * Why a command that a rule denies may hide in what a command is given, as a sentence; null when it cannot. `isJudged`: what it
 * runs of that was taken apart; `isInert`: it runs nothing of it.
 */
export function hiddenCommand(
  part: ShellPart,
  layers: readonly (readonly ShellWord[])[],
  { isJudged, isInert }: { isJudged: boolean; isInert: boolean },
): string | null {
  if (part.assignments.some(({ text }) => MEANINGS.test(text))) return 'It changes what later commands mean.';
  if (!isJudged && layers.some(runsText)) return 'It runs text that is judged by nobody.';
  const evaluates = layers.some(([program]) => EVALUATING.test(programName(program)));
  const given = isJudged || (isInert && !evaluates) ? [] : [...part.words, ...part.inputs];
  return [...part.assignments, ...given].some(mayRun) ? 'It may run what stands in its arguments.' : null;
}

function runsText(words: readonly ShellWord[]): boolean {
  if (dangerousForm(words)?.hides) return true;
  const name = programName(words[0]);
  if (/^[gmn]?awk$/.test(name)) return knownUse(words).caution !== null;
  return name === 'git' && words.some(({ text }) => GIT_RUNS.test(text));
}

/** A substitution that was quoted, and so is carried out by whoever expands the text. */
function mayRun({ text, kind }: ShellWord): boolean {
  if (kind !== 'unknown') return /\$\(|`/.test(text);
  return text.startsWith('[[') && /['\\]/.test(text) && /\$\(|`/.test(text);
}
