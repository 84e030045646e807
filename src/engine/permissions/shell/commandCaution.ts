import { protectedPart } from '../protectedPaths';
import { DANGEROUS_FORMS, type DangerousForm, HARMLESS_VARIABLES } from './dangerousForms';
import type { ShellPart, ShellWord } from './shellPart';
import { programName, type UnwrappedCommand } from './unwrapCommand';

/** Why no rule for its first words may allow a command, as a sentence; null when one may. */
export function commandCaution(part: ShellPart, { layers, assignments, cautions }: UnwrappedCommand): string | null {
  const [caution] = cautions;
  if (caution !== undefined) return caution;
  for (const words of layers) {
    const form = DANGEROUS_FORMS.find((one) => isForm(one, words));
    if (form) return form.because;
  }
  const all = [...part.assignments, ...assignments];
  const variable = all.map(({ text }) => text.split(/\+?=/, 1)[0] ?? '').find((name) => !HARMLESS_VARIABLES.test(name));
  if (variable !== undefined) return `It sets ${variable}, which may change what the command does.`;
  const words = layers[0] ?? [];
  const unknown = [...all, ...words].find(({ kind }) => kind === 'unknown');
  if (unknown) return `What “${unknown.text}” stands for is known to the shell only.`;
  return namedProtection(words.slice(1));
}

function isForm({ programs, subcommands, argument, alone }: DangerousForm, words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  // `python3.12` is python, and `mkfs.ext4` is mkfs.
  const names = [name, name.replace(/[\d.]+$/, ''), name.replace(/^mkfs\..*/, 'mkfs')];
  if (!programs.some((one) => names.includes(one))) return false;
  const given = words.slice(1).map(({ text }) => text);
  if (alone && given.length === 0) return true;
  if (subcommands && !given.some((one) => subcommands.includes(one))) return false;
  return argument === undefined || given.some((one) => argument.test(one));
}

function namedProtection(words: readonly ShellWord[]): string | null {
  for (const { text } of words) {
    const part = protectedPart(text.replaceAll(/[\\=:,]/g, '/'));
    if (part !== undefined) return `It names ${part}, which is protected.`;
  }
  return null;
}
