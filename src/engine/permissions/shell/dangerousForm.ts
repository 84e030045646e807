import { DANGEROUS_FORMS, type DangerousForm } from './dangerousForms';
import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

const FORMS = new Map<string, DangerousForm[]>();
for (const form of DANGEROUS_FORMS)
  for (const program of form.programs) FORMS.set(program, [...(FORMS.get(program) ?? []), form]);

/** The form in which a command is dangerous, if it is. */
export function dangerousForm(words: readonly ShellWord[]): DangerousForm | undefined {
  return formsOf(programName(words[0])).find((one) => isForm(one, words));
}

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
