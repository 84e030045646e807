import * as z from '../../../base/zod';
import { checkContent, noFrontMatter, schemaKeys } from '../../content/checkContent';
import type { ContentProblem } from '../../content/contentProblem';
import { foreignFrontMatter } from '../../content/foreignFrontMatter';
import { foreignModel } from '../../content/foreignModel';
import { agentName, flagWord } from '../../content/writtenNames';
import { readYaml } from '../../content/yamlSource';
import { agentDefaults, type AgentDraft, type AgentFile } from '../agentDefinition';

export const cursorAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    description: z.exactOptional(z.string()),
    model: z.exactOptional(z.string()),
    readonly: z.exactOptional(flagWord),
    is_background: z.exactOptional(flagWord),
  }),
);

/** Reads a file of `.cursor/agents`: a subagent, which with `readonly` only reads. */
export function readCursorAgent({ text, source, name }: AgentFile): AgentDraft {
  const { head, headLine, body, unclosed } = foreignFrontMatter(text);
  if (head === null) return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const mendBy = schemaKeys(cursorAgentSchema, []);
  const yaml = readYaml(head, { path: source.path, firstLine: headLine, lenient: true, mendBy });
  const { value, problems } = checkContent(yaml, cursorAgentSchema, { unknownKeys: 'note', limits: ['readonly'] });
  if (!value) return { agent: undefined, problems };
  const tell = (key: string, message: string): ContentProblem => {
    const at = yaml.position([key], 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message };
  };
  const model = value.model === undefined ? undefined : foreignModel(value.model, 'cursor');
  const agent = {
    ...agentDefaults(),
    name: value.name ?? name,
    source,
    description: value.description ?? '',
    prompt: body.trim(),
    mode: 'subagent' as const,
    ...(model && { model, modelIsWish: true }),
    ...(value.readonly && { workMode: 'ask' as const }),
  };
  const warnings = [
    ...(model === null
      ? [tell('model', `“${value.model}” does not name a model; the agent uses its caller’s model.`)]
      : []),
    ...(value.is_background ? [tell('is_background', '“is_background” has no effect in Cairn.')] : []),
  ];
  return { agent, problems: [...problems, ...warnings] };
}
