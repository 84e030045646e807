import { dangerousForm, HARMLESS_VARIABLES } from './dangerousForms';
import { runsByOption } from './hiddenCommand';
import { knownUse } from './knownUse';
import type { ShellPart, ShellWord } from './shellPart';
import { programName, type UnwrappedCommand } from './unwrapCommand';

/** Builtins that evaluate text in square brackets as arithmetic, which can run commands. */
const EVALUATING =
  /^(test|\[|\[\[|printf|print|read|let|declare|typeset|local|integer|float|unset|mapfile|readarray|wait|export|readonly|exit|return|break|continue|shift|logout)$/;

/** Returns why no rule for its first words may allow a command, as a sentence; null if a rule may. */
export function commandCaution(part: ShellPart, { layers, assignments, cautions }: UnwrappedCommand): string | null {
  const [caution] = cautions;
  if (caution !== undefined) return caution;
  for (const words of layers) {
    const form = dangerousForm(words);
    if (form) return form.because;
    const { caution: unknown } = knownUse(words);
    if (unknown !== null) return unknown;
    // What may hide a denied command is not allowed by a rule for the program either.
    if (runsByOption(words)) return 'With this option, it may run other commands.';
    if (EVALUATING.test(programName(words[0])) && words.some(({ text }) => mayEvaluate(text)))
      return 'It may run what its arguments say.';
  }
  const all = [...part.assignments, ...assignments];
  const variable = all.map(({ text }) => text.split(/\+?=/, 1)[0] ?? '').find((name) => !HARMLESS_VARIABLES.test(name));
  if (variable !== undefined) return `It sets ${variable}, which may change what the command does.`;
  const words = layers[0] ?? [];
  const unknown = [...all, ...words].find(({ kind }) => kind === 'unknown');
  if (unknown) return `Only the shell knows what “${unknown.text}” stands for.`;
  return optionByName(layers.at(-1) ?? []);
}

/** Whether a text contains a substitution, or something in square brackets. */
function mayEvaluate(text: string): boolean {
  const bracket = text.indexOf('[');
  return /[$`]/.test(text) || (bracket !== -1 && text.lastIndexOf(']') > bracket + 1);
}

/** A pattern that any name may match could expand to an option, which matters where not every option is harmless. */
function optionByName(words: readonly ShellWord[]): string | null {
  const dashes = words.findIndex(({ text }) => text === '--');
  const pattern = words.find(({ kind }, at) => kind === 'names' && (dashes === -1 || at < dashes));
  if (!pattern || knownUse(words).anyOption) return null;
  return `“${pattern.text}” may match a file whose name is an option.`;
}
