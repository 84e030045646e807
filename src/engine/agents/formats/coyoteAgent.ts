import * as z from '../../../base/zod';
import { checkContent, schemaKeys } from '../../content/checkContent';
import type { ContentProblem, Meant } from '../../content/contentProblem';
import { readYaml } from '../../content/yamlSource';
import type { AgentDraft, AgentFile } from '../agentDefinition';
import { agentFieldsSchema, definitionFrom, fieldsWithoutEffect } from './agentFields';
import { coyoteTools } from './coyoteTools';

export const coyoteAgentSchema = z.extend(agentFieldsSchema, {
  instructions: z.exactOptional(z.string()),
});

/** Model names without a provider are invalid in Cairn, but that does not reject the agent. */
const MODELS = ['model', 'summarization_model'];

/** Reads `agents/<name>/config.yaml`; the folder's name is the agent's. `folder`: absolute path. */
export function readCoyoteAgent({ text, source, name }: AgentFile, folder: string): AgentDraft {
  const yaml = readYaml(text, { path: source.path, lenient: true });
  const limits = schemaKeys(coyoteAgentSchema, []).filter((key) => !MODELS.includes(key));
  const { value, problems } = checkContent(yaml, coyoteAgentSchema, { unknownKeys: 'misspelt', limits });
  if (!value) return { agent: undefined, problems };
  const warn = (where: readonly PropertyKey[], message: string, meant?: Meant): ContentProblem => {
    const at = yaml.position(where, 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message, ...(meant && { meant }) };
  };
  const common = definitionFrom(value);
  const { tools, unmapped } = coyoteTools(value.global_tools ?? [], common);
  const fields = fieldsWithoutEffect(value);
  const lacks = [...problems.map(({ message }) => message), ...fields.map(({ message }) => message)];
  const warnings = [
    ...unmapped.map(({ name, message, meant }) => ({ ...warn(['global_tools'], message, meant), lacksTool: name })),
    ...fields.map(({ key, message }) => warn([key], message)),
  ];
  const own = { name, source, folder, prompt: (value.instructions ?? '').trim(), tools };
  return {
    agent: { ...common, ...own, ...(lacks.length > 0 && { lacks }) },
    problems: [...problems, ...warnings],
  };
}
