import * as z from '../../../base/zod';
import { commandPatterns, type PermissionRule } from '../../../engine';
import type { Found } from '../importItem';
import type { JsonFile } from '../readData';

const words = z.catch(z.array(z.string()), []);
export const permissionsSchema = z.object({ allow: words, ask: words, deny: words });

/** Claude Code tool → Cairn tool or category, and what the text in parentheses refers to. */
const TOOLS: Readonly<Record<string, { tool: string; about: 'command' | 'path' | 'host' }>> = {
  Bash: { tool: 'category:execute', about: 'command' },
  Read: { tool: 'category:read', about: 'path' },
  Edit: { tool: 'category:write', about: 'path' },
  MultiEdit: { tool: 'category:write', about: 'path' },
  Write: { tool: 'category:write', about: 'path' },
  WebFetch: { tool: 'category:network', about: 'host' },
};

/** Imports rules that ask or deny. Rules that allow are only reported, so that the user re-creates the intended ones. */
export function claudeRules(file: JsonFile, found: Found): void {
  const data = z.looseObject({ permissions: z.optional(z.unknown()) }).safeParse(file.data).data;
  if (data?.permissions === undefined) return;
  const parsed = permissionsSchema.safeParse(data.permissions);
  if (!parsed.data) {
    found.problems.push(
      `${file.place(['permissions'])}: “permissions” must be an object, so none of its rules were imported.`,
    );
    return;
  }
  for (const action of ['ask', 'deny'] as const) {
    parsed.data[action].forEach((written, at) => {
      const from = file.place(['permissions', action, at]);
      const rules = rulesOf(written, action);
      const name = `${action} ${written}`;
      if (rules.length > 0)
        found.items.push({ kind: 'rule', name, from, content: { type: 'rules', rules }, notes: [] });
      else found.items.push(left(name, from, 'Cairn has no equivalent rule.'));
    });
  }
  parsed.data.allow.forEach((written, at) => {
    const why = 'Rules that allow are not imported. Choose “Always” when Cairn asks.';
    found.items.push(left(`allow ${written}`, file.place(['permissions', 'allow', at]), why));
  });
}

function left(name: string, from: string, why: string): Found['items'][number] {
  return { kind: 'rule', name, from, content: { type: 'left', why }, notes: [] };
}

function rulesOf(written: string, action: 'ask' | 'deny'): PermissionRule[] {
  const [, name = '', inner] = /^([\w-]+)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  const because = 'Imported from Claude Code.';
  if (name.startsWith('mcp__')) return inner === undefined ? [{ tool: mcpPattern(name), action, because }] : [];
  const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!known) return [];
  const { tool, about } = known;
  const pattern = inner?.trim() ?? '';
  if (pattern === '' || pattern === '*') return [{ tool, action, because }];
  switch (about) {
    case 'command':
      return commandPatterns(pattern.replace(/:\*$/, ' *'), action).map((argument) => ({
        tool,
        argument,
        action,
        because,
      }));
    case 'path':
      return [{ tool, argument: { kind: 'path', pattern: pathPattern(pattern) }, action, because }];
    case 'host': {
      const host = /^domain:([\w.*-]+)$/.exec(pattern)?.[1];
      return host === undefined ? [] : [{ tool, argument: { kind: 'host', pattern: host }, action, because }];
    }
  }
}

/** Converts a path pattern: `//etc/x` is absolute, other paths keep their meaning. */
function pathPattern(pattern: string): string {
  return pattern.startsWith('//') ? pattern.slice(1) : pattern.replace(/^\.\//, '');
}

/** Converts an MCP tool name. A server alone means all its tools. */
function mcpPattern(name: string): string {
  return name.split('__').length === 2 ? `${name}__*` : name;
}
