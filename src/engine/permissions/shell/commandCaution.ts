import { DANGEROUS_FORMS, type DangerousForm, HARMLESS_VARIABLES } from './dangerousForms';
import { knownUse } from './knownUse';
import type { ShellPart, ShellWord } from './shellPart';
import { programName, type UnwrappedCommand } from './unwrapCommand';

/** Builtins that take what stands in square brackets for arithmetic, which can run commands. */
const EVALUATING =
  /^(test|\[|\[\[|printf|read|let|declare|typeset|local|unset|mapfile|readarray|wait|export|readonly)$/;

/** Why no rule for its first words may allow a command, as a sentence; null when one may. */
export function commandCaution(part: ShellPart, { layers, assignments, cautions }: UnwrappedCommand): string | null {
  const [caution] = cautions;
  if (caution !== undefined) return caution;
  for (const words of layers) {
    const form = formsOf(programName(words[0])).find((one) => isForm(one, words));
    if (form) return form.because;
    const { caution: unknown } = knownUse(words);
    if (unknown !== null) return unknown;
    if (EVALUATING.test(programName(words[0])) && words.some(({ text }) => /[$`]|\[.+\]/.test(text)))
      return 'It may run what stands in its arguments.';
  }
  const all = [...part.assignments, ...assignments];
  const variable = all.map(({ text }) => text.split(/\+?=/, 1)[0] ?? '').find((name) => !HARMLESS_VARIABLES.test(name));
  if (variable !== undefined) return `It sets ${variable}, which may change what the command does.`;
  const words = layers[0] ?? [];
  const unknown = [...all, ...words].find(({ kind }) => kind === 'unknown');
  if (unknown) return `What “${unknown.text}” stands for is known to the shell only.`;
  return optionByName(layers.at(-1) ?? []);
}

/** A pattern that any name may match could become an option, where options are not all harmless. */
function optionByName(words: readonly ShellWord[]): string | null {
  const dashes = words.findIndex(({ text }) => text === '--');
  const pattern = words.find(({ kind }, at) => kind === 'names' && (dashes === -1 || at < dashes));
  if (!pattern || knownUse(words).anyOption) return null;
  return `“${pattern.text}” may stand for a file whose name is an option.`;
}

const FORMS = new Map<string, DangerousForm[]>();
for (const form of DANGEROUS_FORMS)
  for (const program of form.programs) FORMS.set(program, [...(FORMS.get(program) ?? []), form]);

function formsOf(name: string): readonly DangerousForm[] {
  // `python3.12` is python, and `mkfs.ext4` is mkfs.
  return (
    FORMS.get(name) ?? FORMS.get(name.replace(/[\d.]+$/, '')) ?? FORMS.get(name.replace(/^mkfs\..*/, 'mkfs')) ?? []
  );
}

function isForm({ subcommands, argument, alone }: DangerousForm, words: readonly ShellWord[]): boolean {
  const all = words.slice(1).map(({ text }) => text);
  // What stands behind its script is for the script.
  const script = alone ? all.findIndex((text) => !/^[-+]/.test(text)) : -1;
  const given = script === -1 ? all : all.slice(0, script);
  if (alone && all.length === 0) return true;
  if (subcommands && !given.some((one) => subcommands.includes(one))) return false;
  return argument === undefined || given.some((one) => argument.test(one));
}
