import type { ScriptDescription, ScriptProblem, ScriptVariable } from '../scriptDescription';
import { problemOf } from '../scriptProblems';
import { shownDescription } from '../shownDescription';
import { argcParameter, argcParts, type ArgcTag } from './argcTags';

/** What a script says that it needs, in comments of any language: `# @env KEY! What for`, `// @meta require-tools jq`. */
export function argcNeeds(text: string): Pick<ScriptDescription, 'variables' | 'programs' | 'problems'> {
  const asBash = text.replaceAll(/^([ \t]*)(?:\/\/|\/\*\*?|\*)[ \t]*(?=@(?:env|meta)\b)/gm, '$1# ');
  const tags = argcParts(asBash).filter((part) => part.kind === 'tag');
  const problems: ScriptProblem[] = [];
  const variables = tags.flatMap((tag) => (tag.tag === 'env' ? variableOf(tag, problems) : []));
  return { variables, programs: tags.flatMap(programsIn), problems };
}

function variableOf(tag: ArgcTag, problems: ScriptProblem[]): ScriptVariable[] {
  const [first = ''] = tag.text.split('\n');
  const read = argcParameter({ tag: 'arg', text: first.replace(/\*\/\s*$/, '') });
  if (!read) {
    problems.push(problemOf(tag, 'This cannot be read. Write it as “# @env SOME_KEY! What it is for”.'));
    return [];
  }
  const { name, isRequired, default: given, description } = read;
  const said = shownDescription(description);
  return [{ name, isRequired, ...(given !== undefined && { default: given }), description: said }];
}

/** `@meta require-tools jq curl` */
function programsIn({ tag, text }: ArgcTag): string[] {
  const [, names] = tag === 'meta' ? (/^require-tools[ \t]+([^\n]*)/.exec(text) ?? []) : [];
  return names?.split(/[\s,]+/).filter((name) => name !== '') ?? [];
}
