import * as z from '../../../base/zod';
import { type AgentDefinition, type Engine, toolSpecs } from '../../../engine';

/** A tool as listed to clients. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
}

/** The tool that gives a whole task to an agent. */
export const RUN_AGENT = 'run_agent';

const runAgentSchema = z.strictObject({
  prompt: z.string().check(z.minLength(1)),
  agent: z.optional(z.string()),
  session: z.optional(z.string()),
});
export type AgentTask = z.infer<typeof runAgentSchema>;

/** Parses the input of `run_agent`. Returns a sentence if it is invalid. */
export function readAgentTask(input: unknown): AgentTask | string {
  const { data, error } = runAgentSchema.safeParse(input);
  const [issue] = error?.issues ?? [];
  return data ?? `${[...(issue?.path ?? []), issue?.message ?? 'It does not fit'].join(': ')}.`;
}

/** Lists `run_agent` and every Cairn tool that works without a run and a user. */
export async function offeredTools(engine: Engine): Promise<OfferedTool[]> {
  const agents = (await engine.agents.list()).filter(({ hidden }) => !hidden);
  const own = toolSpecs(engine.tools).filter(({ name }) => worksAlone(engine, name));
  return [
    runAgentTool(agents),
    ...own.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
    })),
  ];
}

/** Returns false for tools that act on a run or wait for the user. */
export function worksAlone(engine: Engine, name: string): boolean {
  const tool = engine.tools.get(name);
  if (!tool) return false;
  const { kind } = tool.traits ?? {};
  return kind !== 'team' && kind !== 'skills' && !/^(?:user|todo)__/.test(name);
}

function runAgentTool(agents: readonly AgentDefinition[]): OfferedTool {
  const list = agents.map(({ name, description }) => `${name}: ${description}`).join('\n');
  return {
    name: RUN_AGENT,
    description: `Gives a task to an agent of Cairn, which works on it in the folder until it is done, and tells what it answers.\n\n${list}`,
    inputSchema: {
      type: 'object',
      properties: {
        prompt: { type: 'string', description: 'The task, with all that the agent has to know.' },
        agent: {
          type: 'string',
          enum: agents.map(({ name }) => name),
          description: 'Which agent does it. Default: the one that the settings name.',
        },
        session: { type: 'string', description: 'The session of an earlier task, to go on with it.' },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
  };
}
