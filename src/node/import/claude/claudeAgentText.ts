import * as z from '../../../base/zod';
import { splitFrontMatter } from '../../../base/frontMatter';
import { CLAUDE_TOOLS, EngineError, nameList, yamlText } from '../../../engine';
import { issueText, parsedYaml } from '../readData';
import type { Changed } from '../scanContent';

const fields = z.looseObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  tools: z.optional(z.nullable(nameList)),
  disallowedTools: z.optional(z.nullable(nameList)),
  model: z.optional(z.string()),
  maxTurns: z.optional(z.int().check(z.positive())),
  skills: z.optional(z.nullable(nameList)),
});
const USED = new Set(Object.keys(fields.def.shape));

/** An agent of Claude Code as one of ours, which names tools and models otherwise. */
export async function claudeAgentText(text: string, path: string): Promise<Changed> {
  const { head, headLine, body } = splitFrontMatter(text);
  if (head === null) throw new EngineError('invalid-input', `${path}:1: it has no front matter, so it is no agent.`);
  const yaml = await parsedYaml(head, path, headLine);
  const parsed = fields.safeParse(yaml.data);
  if (!parsed.data) throw new EngineError('invalid-input', `${path}:${headLine}: ${issueText(parsed.error)}`);
  const { description, tools, disallowedTools, model, maxTurns, skills } = parsed.data;
  const notes: string[] = [];
  const denied = ourTools(disallowedTools ?? [], notes);
  const chosen = model !== undefined && /^claude-\S+$/.test(model) ? `anthropic:${model}` : undefined;
  if (model !== undefined && chosen === undefined && model !== 'inherit') {
    notes.push(`It uses the model of whoever starts it: “${model}” is a name of Claude Code's own.`);
  }
  const other = Object.keys(parsed.data).filter((key) => !USED.has(key));
  if (other.length > 0) notes.push(`Left out, since it has no meaning here: ${other.join(', ')}.`);
  const ours = {
    ...(description !== undefined && { description }),
    mode: 'subagent',
    ...(chosen !== undefined && { model: chosen }),
    ...(maxTurns !== undefined && { max_turns: maxTurns }),
    ...(tools && { tools: ourTools(tools, notes) }),
    ...(denied.length > 0 && { permission: Object.fromEntries(denied.map((tool) => [tool, 'deny'])) }),
    ...(skills && skills.length > 0 && { skills }),
  };
  return { text: `---\n${await yamlText(ours)}---\n${body}`, notes: ['Its tools are called as here.', ...notes] };
}

function ourTools(names: readonly string[], notes: string[]): string[] {
  const found = names.flatMap((written) => {
    const name = written.replace(/\(.*\)$/s, '').trim();
    if (name.startsWith('mcp__')) return [name];
    const known = Object.hasOwn(CLAUDE_TOOLS, name) ? CLAUDE_TOOLS[name] : undefined;
    if (!known) notes.push(`Its tool “${name}” was left out: there is none like it here.`);
    return known ?? [];
  });
  return [...new Set(found)];
}
