import { clipEnd } from '../../base/truncate';
import type { JudgedPart, JudgedPath, ResolvedQuery, ToolCategory, UnseenProgram } from './permissionRule';

/** What is judged on its own: a call, one command of its shell line, or a file that the shell opens for one. */
export interface PolicyUnit {
  tool: string;
  category: ToolCategory;
  paths: readonly JudgedPath[];
  host?: string;
  subjects?: readonly string[];
  unseen?: UnseenProgram;
  part?: JudgedPart;
  /** As it was written, to be named in the verdict; null when the call is no compound. */
  label: string | null;
  /** A file of which it cannot be known which one it is. */
  unknownFile?: string;
  /** What a command does to it; without it the shell opens it. */
  unknownUse?: 'remove' | 'write';
  /** Those of its paths that go with all that is in them. */
  removed?: readonly JudgedPath[];
  /** Paths that a command names, without changing them. */
  seen?: readonly JudgedPath[];
  /** True when it goes on outside of the workspace, or runs what stands there, or may. */
  leaves?: boolean;
}

/** A redirection is judged like the tool that would do the same. */
const FILE_TOOLS = { read: 'fs_read', write: 'fs_write' } as const;
const MAX_LABEL = 80;

/** Everything a call would do, each to be judged on its own. Never empty. */
export function policyUnits(query: ResolvedQuery): readonly PolicyUnit[] {
  const { command, ...call } = query;
  if (!command || command.parts.length === 0) return [{ ...call, label: null }];
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
    return [{ ...call, part, label, ...touchedBy(part, call) }, ...files];
  });
}

/** What a command touches is touched by the call itself: whoever may run commands may do so inside of the workspace. */
function touchedBy({ files }: JudgedPart, { paths }: Pick<ResolvedQuery, 'paths'>): Partial<PolicyUnit> {
  const touched = files.filter(({ kind }) => kind === 'remove' || kind === 'change');
  const unknown = touched.find((one) => one.paths === null);
  const of = (kinds: readonly string[]) => files.flatMap((one) => (kinds.includes(one.kind) ? (one.paths ?? []) : []));
  return {
    // By a link it is led out.
    paths: [...paths, ...touched.flatMap((one) => one.paths ?? []), ...of(['reach']).filter((one) => one.outside)],
    removed: of(['remove']),
    seen: of(['copy', 'use', 'reach', 'enter']),
    leaves: files.some(
      ({ kind, paths: entered }) => kind === 'enter' && entered?.some(({ outside }) => outside) !== false,
    ),
    ...(unknown && { unknownFile: unknown.text, unknownUse: unknown.kind === 'remove' ? 'remove' : 'write' }),
  };
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return clipEnd(line, MAX_LABEL);
}
