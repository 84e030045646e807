import { clipEnd } from '../../base/truncate';
import type { JudgedPart, JudgedPath, JudgedQuery, ToolCategory } from './permissionRule';

/** What is judged on its own: a call, one command of its shell line, or a file that the shell opens for one. */
export interface PolicyUnit {
  tool: string;
  category: ToolCategory;
  paths: readonly JudgedPath[];
  host?: string;
  subjects?: readonly string[];
  part?: JudgedPart;
  /** As it was written, to be named in the verdict; null when the call is no compound. */
  label: string | null;
  /** A file of which it cannot be known which one it is. */
  unknownFile?: string;
}

/** A redirection is judged like the tool that would do the same. */
const FILE_TOOLS = { read: 'fs_read', write: 'fs_write' } as const;
const MAX_LABEL = 80;

/** Everything a call would do, each to be judged on its own. Never empty. */
export function policyUnits(query: JudgedQuery): readonly PolicyUnit[] {
  const { command, ...call } = query;
  if (!command || command.parts.length === 0) return [{ ...call, label: null }];
  const opens = command.parts.some(({ files }) => files.some(({ kind }) => kind !== 'remove'));
  const many = command.parts.length > 1 || opens;
  return command.parts.flatMap((part) => {
    const label = many ? shortened(part.text) : null;
    const files = part.files.flatMap(({ kind, text, paths }): PolicyUnit[] => {
      if (kind === 'remove') return [];
      const unit = { tool: FILE_TOOLS[kind], category: kind, label };
      if (!paths) return [{ ...unit, paths: [], unknownFile: text }];
      return paths.map((path) => ({ ...unit, paths: [path] }));
    });
    return [{ ...call, part, label, ...removedBy(part, call) }, ...files];
  });
}

/** What a command removes is touched by the call itself: whoever may run commands may do so inside of the workspace. */
function removedBy({ files }: JudgedPart, { paths }: Pick<JudgedQuery, 'paths'>): Partial<PolicyUnit> {
  const removed = files.filter(({ kind }) => kind === 'remove');
  const unknown = removed.find((one) => one.paths === null);
  return {
    paths: [...paths, ...removed.flatMap((one) => one.paths ?? [])],
    ...(unknown && { unknownFile: unknown.text }),
  };
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return clipEnd(line, MAX_LABEL);
}
