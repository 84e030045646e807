import { matchesWildcard } from '../../base/wildcard';
import type { ArgumentPattern, PermissionRule } from './permissionRule';
import type { PolicyUnit } from './policyUnit';
import { programNameOf } from './shell/unwrapCommand';

/** True when a rule speaks of this. Rules that ask or deny are read widely, rules that allow narrowly. */
export function matchesRule(rule: PermissionRule, unit: PolicyUnit): boolean {
  return matchesTool(rule, unit) && (rule.argument === undefined || matchesArgument(rule, rule.argument, unit));
}

/** True when a rule speaks of this tool, whatever its argument. */
export function matchesTool({ tool }: PermissionRule, unit: Pick<PolicyUnit, 'tool' | 'category'>): boolean {
  return tool.startsWith('category:') ? tool === `category:${unit.category}` : matchesWildcard(tool, unit.tool);
}

function matchesArgument({ action }: PermissionRule, argument: ArgumentPattern, unit: PolicyUnit): boolean {
  const allows = action === 'allow';
  // Nothing that is dangerous or uncertain is allowed by its words.
  if (allows && unit.part && unit.part.caution !== null) return false;
  switch (argument.kind) {
    case 'path':
      return areMeant(
        unit.paths.map(({ relative }) => relative),
        argument.pattern,
        allows,
      );
    case 'subject':
      return areMeant(unit.subjects ?? [], argument.pattern, allows);
    case 'command':
      if (!unit.part) return false;
      return allows
        ? beginsWith(unit.part.words, argument.words)
        : unit.part.layers.some((words) => isCommand(words, argument.words));
    case 'host':
      return unit.host !== undefined && matchesWildcard(argument.pattern, unit.host);
    case 'regex':
      return matchesExpression(argument.pattern, allows, unit);
  }
}

function areMeant(texts: readonly string[], pattern: string, allows: boolean): boolean {
  const matches = texts.map((text) => matchesWildcard(pattern, text));
  return allows ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean);
}

function beginsWith(words: readonly string[], begin: readonly string[]): boolean {
  return begin.every((word, index) => words[index] === word);
}

/** The program by its name alone, wherever it lies. */
function isCommand([program, ...words]: readonly string[], [wanted, ...begin]: readonly string[]): boolean {
  if (program === undefined || wanted === undefined) return false;
  return (program === wanted || programNameOf(program) === programNameOf(wanted)) && beginsWith(words, begin);
}

function matchesExpression(pattern: string, whole: boolean, { part, paths, host }: PolicyUnit): boolean {
  // With and without dots that cross lines: a line end in an argument helps neither out of a denial nor into a permission.
  const expressions = ['', 's'].map((flags) => new RegExp(whole ? `^(?:${pattern})$` : pattern, flags));
  const isMeant = (text: string) => {
    const found = expressions.map((expression) => expression.test(text));
    return whole ? found.every(Boolean) : found.some(Boolean);
  };
  const texts = [...(part ? [part.text] : []), ...paths.map(({ relative }) => relative), ...(host ? [host] : [])];
  const matches = texts.map(isMeant);
  return whole ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean);
}
