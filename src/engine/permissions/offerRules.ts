import type { RuleOffer } from './approvalHandler';
import type { JudgedQuery, PermissionRule, Verdict } from './permissionRule';
import { plainCommandWords } from './shellPatterns';

/** The rules that "always" could add for a call, narrowest first; none where something must be asked each time. */
export function offerRules(query: JudgedQuery, verdict: Verdict): readonly RuleOffer[] {
  if (verdict.protected) return [];
  if (query.command !== undefined) return offersForCommand(query.tool, query.command);
  if (query.category === 'write') return offersForEdits(query);
  return [offer({ tool: query.tool, action: 'allow' }, `${query.tool} in this session`)];
}

function offersForCommand(tool: string, command: string): RuleOffer[] {
  const words = plainCommandWords(command);
  if (!words) return [];
  const label = `commands that begin with “${words.join(' ')}” in this session`;
  return [offer({ tool, argument: { kind: 'command', words }, action: 'allow' }, label)];
}

function offersForEdits({ paths }: JudgedQuery): RuleOffer[] {
  const [path] = paths;
  const all = offer({ tool: 'category:write', action: 'allow' }, 'all edits in this session');
  // A name with wildcard characters in it would allow more than it says.
  if (paths.length !== 1 || !path || /[*?]/.test(path.relative)) return [all];
  const rule: PermissionRule = {
    tool: 'category:write',
    argument: { kind: 'path', pattern: path.relative },
    action: 'allow',
  };
  return [offer(rule, `edits of ${path.relative} in this session`), all];
}

function offer(rule: PermissionRule, label: string): RuleOffer {
  return { scope: 'session', rule, label };
}
