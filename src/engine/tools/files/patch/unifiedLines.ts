import { ToolFailure } from '../../toolFailure';

const FILE = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/;

/**
 * The lines of a patch between `*** Begin Patch` and `*** End Patch`, as some models are taught to write it, as those of a
 * unified diff; other lines as they are. Throws ToolFailure where it is about anything else than changes in one file.
 */
export function unifiedLines(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => /^\*\*\* (Begin Patch|(Update|Add|Delete) File: )/.test(line));
  if (begin < 0) return lines;
  const end = lines.findIndex((line) => line.startsWith('*** End Patch'));
  const inside = lines.slice(begin, end < 0 ? undefined : end);
  const named = inside.flatMap((line) => FILE.exec(line)?.slice(1, 3) ?? []);
  const [kind, name] = named;
  if (named.length > 2)
    throw refused('contents has changes of several files. Call fs_patch once for each, with its own part.');
  if (kind === undefined || name === undefined) throw refused('contents names no file after *** Begin Patch.');
  if (kind === 'Add') throw refused(`To create ${name} use fs_write with its whole text.`);
  if (kind === 'Delete') throw refused(`To remove ${name} use fs_rm.`);
  if (inside.some((line) => line.startsWith('*** Move to:')))
    throw refused('To move a file use execute_command (git mv, mv).');
  const body = inside.filter((line) => !/^\*\*\* (Begin Patch|Update File|End of File)/.test(line));
  const first = body.findIndex((line) => line.trim() !== '');
  const hunks = (body[first] ?? '').startsWith('@@') ? body : ['@@', ...body];
  return [`--- ${name}`, `+++ ${name}`, ...hunks];
}

function refused(message: string): ToolFailure {
  return new ToolFailure('bad-arguments', message);
}
