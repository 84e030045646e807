import * as z from '../../base/zod';
import { EFFORTS, modelName, nameList } from '../../engine';
import { secretsProvider } from '../vault/secretProviders';

const text = z.string().check(z.minLength(1));
const count = z.int().check(z.minimum(1));
const above0 = z.number().check(z.positive());

const client = z.strictObject({
  type: text,
  name: z.exactOptional(z.nullable(text)),
  api_base: z.exactOptional(z.nullable(z.url({ protocol: /^https?$/ }))),
  api_key: z.exactOptional(z.nullable(text)),
});

/** Cairn's keys, and those of Coyote that have a meaning here. */
const used = {
  model: z.nullish(modelName),
  agent: z.nullish(text),
  role: z.nullish(text),
  approve: z.nullish(z.enum(['ask', 'edits', 'all', 'none'])),
  reasoning_effort: z.nullish(z.enum(EFFORTS)),
  limits: z.nullish(
    z.strictObject({
      turns: z.nullish(count),
      tokens: z.nullish(count),
      minutes: z.nullish(above0),
      cost_usd: z.nullish(above0),
    }),
  ),
  /** The same limit as for a workspace's instruction file. */
  instructions: z.nullish(z.string().check(z.maxLength(24_000))),
  cmd_prelude: z.nullish(
    z.string().check(z.regex(/^\s*[^\s:][^:]*:.*\S/, 'must be written role:NAME, session:NAME, or SESSION:ROLE')),
  ),
  auto_continue: z.nullish(z.boolean()),
  max_auto_continues: z.nullish(count),
  skills_enabled: z.nullish(z.boolean()),
  enabled_skills: z.nullish(nameList),
  visible_skills: z.nullish(nameList),
  visible_tools: z.nullish(nameList),
  enabled_tools: z.nullish(nameList),
  mapping_tools: z.nullish(z.record(text, nameList)),
  enabled_mcp_servers: z.nullish(nameList),
  mapping_mcp_servers: z.nullish(z.record(text, nameList)),
  secrets_provider: z.nullish(secretsProvider),
  clients: z.nullish(z.array(client)),
};

const SENDING = 'set it in an agent or a role, where it is sent with each request';
const TOOLS = 'agents, roles, and permission rules decide which tools are available';
const MCP = 'enabled_mcp_servers: [] gives agents no servers';
const RAG = 'Cairn has no knowledge bases yet';
const PROMPT = 'cairn has no interactive prompt; it takes one message and exits';
const SESSIONS = 'sessions are always saved, and summarized for the model when they get too long';

/** Coyote's other keys, grouped by why they have no effect. */
const WHY: readonly (readonly [why: string, keys: readonly string[]])[] = [
  [SENDING, ['temperature', 'top_p']],
  [TOOLS, ['function_calling_support']],
  [MCP, ['mcp_server_support']],
  [RAG, ['rag_embedding_model', 'rag_reranker_model', 'rag_top_k', 'rag_chunk_size', 'rag_chunk_overlap']],
  [RAG, ['rag_template', 'document_loaders']],
  [PROMPT, ['keybindings', 'editor', 'repl_prelude', 'left_prompt', 'right_prompt', 'save_shell_history']],
  [SESSIONS, ['save', 'save_session', 'compression_threshold', 'summarization_prompt', 'summary_context_prompt']],
  ['each agent sets it for itself', ['agent_session', 'inject_todo_instructions', 'continuation_prompt']],
  ['each agent sets it for itself', ['inject_skill_instructions', 'skill_instructions']],
  ['the terminal decides how text looks', ['wrap', 'wrap_code', 'highlight', 'theme', 'light_theme']],
  ['CAIRN_VAULT_KEY_FILE names the key file of the vault', ['vault_password_file']],
  ['every message is sent', ['dry_run']],
  ['answers always stream', ['stream']],
  ['requests use the user agent of the vendor’s library', ['user_agent']],
  ['the list of models is built into Cairn', ['sync_models_url']],
];

/** Coyote key → why it has no effect. */
export const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map(
  WHY.flatMap(([why, keys]) => keys.map((key) => [key, why] as const)),
);

const unused = Object.fromEntries([...WITHOUT_EFFECT.keys()].map((key) => [key, z.optional(z.unknown())]));

/** All keys allowed in the file. */
export const configSchema = z.extend(z.strictObject(unused), used);
/** The keys that have an effect. */
export const usedSchema = z.object(used);
export type ConfigData = z.infer<typeof usedSchema>;
