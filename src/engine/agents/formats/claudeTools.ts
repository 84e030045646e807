import { type MappedTools, mapToolNames } from '../../content/mapToolNames';
import { CLAUDE_TOOLS } from '../../content/toolNames';
import type { PermissionRule } from '../../permissions/permissionRule';
import { commandPatterns } from './commandPatterns';

interface ClaudeTools extends MappedTools {
  rules: PermissionRule[];
  /** Names that `Agent(…)` allows; null: all. */
  agents: string[] | null;
}

interface WrittenTool {
  name: string;
  /** What stands in parentheses, taken apart; none when there are none. */
  limits: string[];
}

/** `tools`: `Bash(git diff:*)` offers the tool for these commands alone, `Agent(explore)` for these agents. */
export function offeredClaudeTools(names: readonly string[]): ClaudeTools {
  const written = names.map(parse);
  const mapped = mapNames(written);
  const limitsOf = (kinds: readonly string[]): string[] | null => {
    const these = written.filter(({ name }) => kinds.includes(name));
    return these.some(({ limits }) => limits.length === 0) ? null : these.flatMap(({ limits }) => limits);
  };
  const commands = limitsOf(['Bash']);
  const agents = limitsOf(['Agent', 'Task']);
  const unlimited = written.filter(({ name, limits }) => limits.length > 0 && !/^(?:Bash|Agent|Task)$/.test(name));
  return {
    tools: mapped.tools,
    unmapped: [...mapped.unmapped, ...unlimited.map(({ name, limits }) => withoutLimit(name, limits))],
    rules: commands && commands.length > 0 ? [NO_COMMAND, ...commandRules(commands, 'allow')] : [],
    agents: agents && agents.length > 0 ? agents : null,
  };
}

/** `disallowedTools`: `Bash(rm:*)` denies these commands alone, `Read(secrets/**)` these files. */
export function deniedClaudeTools(names: readonly string[]): Pick<ClaudeTools, 'unmapped' | 'rules'> {
  const written = names.map(parse);
  const unmapped: MappedTools['unmapped'] = [];
  const rules = written.flatMap(({ name, limits }): PermissionRule[] => {
    const mapped = mapNames([{ name, limits }]);
    unmapped.push(...mapped.unmapped);
    if (limits.length === 0) return mapped.tools.map((tool) => ({ tool, action: 'deny' }));
    if (name === 'Bash') return commandRules(limits, 'deny');
    const onFiles = mapped.tools.filter((tool) => tool.startsWith('fs_'));
    if (mapped.tools.length > 0 && onFiles.length === 0) unmapped.push(withoutLimit(name, limits));
    return onFiles.flatMap((tool) =>
      limits.map(
        (limit) => ({ tool, action: 'deny', argument: { kind: 'path', pattern: pathPattern(limit) } }) as const,
      ),
    );
  });
  return { unmapped, rules };
}

const NO_COMMAND: PermissionRule = {
  ...{ tool: 'execute_command', action: 'deny' },
  argument: { kind: 'regex', pattern: '' },
};

function parse(written: string): WrittenTool {
  const [, name = written, inside] = /^(\w+)\((.*)\)$/.exec(written) ?? [];
  const limits = (inside ?? '').split(',').map((limit) => limit.trim());
  return { name, limits: limits.filter((limit) => limit !== '' && limit !== '*') };
}

function mapNames(written: readonly WrittenTool[]): MappedTools {
  return mapToolNames(
    written.map(({ name }) => name),
    CLAUDE_TOOLS,
    'Claude Code',
  );
}

/** `git diff:*` is Claude Code's way to write `git diff *`. */
function commandRules(limits: readonly string[], action: 'allow' | 'deny'): PermissionRule[] {
  return limits
    .flatMap((limit) => commandPatterns(limit.replace(/:\*$/, ' *'), action))
    .map((argument) => ({ tool: 'execute_command', action, argument }));
}

function pathPattern(limit: string): string {
  return limit.replace(/^\.?\//, '').replaceAll('**', '*');
}

function withoutLimit(name: string, limits: readonly string[]): MappedTools['unmapped'][number] {
  const message = `The limit “${limits.join(', ')}” of “${name}” has no effect; permission rules say what it may do.`;
  return { name, message };
}
