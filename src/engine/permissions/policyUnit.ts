import { clipEnd } from '../../base/truncate';
import type { JudgedPart, JudgedPath, ResolvedQuery, ToolCategory, UnseenProgram } from './permissionRule';

/** A unit that is judged on its own: a call, one command of its shell line, or a file that the shell opens for it. */
export interface PolicyUnit {
  tool: string;
  category: ToolCategory;
  paths: readonly JudgedPath[];
  host?: string;
  subjects?: readonly string[];
  unseen?: UnseenProgram;
  part?: JudgedPart;
  /** The command as written, to be named in the verdict; null if the call is not compound. */
  label: string | null;
  /** A file whose path cannot be determined. */
  unknownFile?: string;
  /** The effect of a command on it; if missing, the shell opens it. */
  unknownUse?: 'remove' | 'write';
  /** The subset of its paths that is removed with everything in them. */
  removed?: readonly JudgedPath[];
  /** Paths that a command names without changing them. */
  seen?: readonly JudgedPath[];
  /** Paths that may be in the words of a command, to be read; `isSure`: they are. */
  named?: readonly NamedPath[];
  /** True if it continues in, or runs something from, a folder that is or may be outside the workspace. */
  leaves?: boolean;
}

/** A path that a command names; `path` is null if it may be any. */
export interface NamedPath {
  path: JudgedPath | null;
  text: string;
  isSure: boolean;
  /** It is a whole word, and so may be a folder; `all`: everything in it is read. */
  folder: boolean | 'all';
}

/** A redirection is judged like the tool that would do the same. */
const FILE_TOOLS = { read: 'fs_read', write: 'fs_write' } as const;
const MAX_LABEL = 80;

/** Returns everything a call would do, each to be judged on its own. Never empty. */
export function policyUnits(query: ResolvedQuery): readonly PolicyUnit[] {
  const { command, ...call } = query;
  if (!command || command.parts.length === 0)
    return [{ ...call, label: null, ...(query.removes && { removed: query.paths }) }];
  const opens = command.parts.some(({ files }) => files.some(({ kind }) => kind === 'read' || kind === 'write'));
  const many = command.parts.length > 1 || opens;
  return command.parts.flatMap((part) => {
    const label = many ? shortened(part.text) : null;
    const files = part.files.flatMap(({ kind, text, paths }): PolicyUnit[] => {
      if (kind !== 'read' && kind !== 'write') return [];
      const unit = { tool: FILE_TOOLS[kind], category: kind, label };
      if (!paths) return [{ ...unit, paths: [], unknownFile: text }];
      return paths.map((path) => ({ ...unit, paths: [path] }));
    });
    const named: PolicyUnit = { tool: FILE_TOOLS.read, category: 'read', label, paths: [], named: namedBy(part) };
    return [{ ...call, part, label, ...touchedBy(part, call) }, ...files, named];
  });
}

/**
 * A file that a command touches counts as touched by the call itself: an agent that may run commands may run them on files of the
 * workspace.
 */
function touchedBy({ files }: JudgedPart, { paths }: Pick<ResolvedQuery, 'paths'>): Partial<PolicyUnit> {
  const touched = files.filter(({ kind }) => kind === 'remove' || kind === 'change');
  const unknown = touched.find((one) => one.paths === null);
  const of = (kinds: readonly string[]) => files.flatMap((one) => (kinds.includes(one.kind) ? (one.paths ?? []) : []));
  return {
    // A `reach` path outside the workspace was reached through a link.
    paths: [...paths, ...touched.flatMap((one) => one.paths ?? []), ...of(['reach']).filter((one) => one.outside)],
    removed: of(['remove']),
    seen: of(['copy', 'use', 'reach', 'enter']),
    leaves: files.some(
      ({ kind, paths: entered }) => kind === 'enter' && entered?.some(({ outside }) => outside) !== false,
    ),
    ...(unknown && { unknownFile: unknown.text, unknownUse: unknown.kind === 'remove' ? 'remove' : 'write' }),
  };
}

/** Programs that read the files they are given. */
const READERS =
  /^(cat|tac|head|tail|less|more|most|nl|bat|batcat|od|xxd|hexdump|strings|base(32|64)|wc|sort|uniq|cut|paste|[efz]?grep|rg|g?sed|[gmn]?awk|jq|yq|diff|cmp|comm|cp|mv|scp|rsync|tar|zip|source|\.|view|n?vim?)$/;

function namedBy({ files, words }: JudgedPart): readonly NamedPath[] {
  const isReader = READERS.test(words[0] ?? '');
  return files.flatMap(({ kind, text, paths }): NamedPath[] => {
    if (kind === 'read' || kind === 'write') return [];
    if (!paths) return kind === 'name' ? [{ path: null, text, isSure: false, folder: false }] : [];
    const isSure = isReader && (kind === 'use' || kind === 'copy');
    const folder = kind === 'copy' ? 'all' : kind !== 'name';
    return paths.map((path) => ({ path, text, isSure, folder }));
  });
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return clipEnd(line, MAX_LABEL);
}
