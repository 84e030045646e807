import * as z from '../../../base/zod';
import { firstCodeBlock } from '../../../base/firstCodeBlock';
import { TokenGauge } from '../../context/estimateTokens';
import { EngineError } from '../../engineError';
import { effortSchema, type Model } from '../../llm/model';
import type { ToolSpec } from '../../llm/llmClient';
import { messageSchema } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import { checkArguments } from '../../tools/plugin/checkArguments';
import type { Conversation, Sampling } from '../runContext';
import type { ModelAsk, ModelReply } from './agentLoop';
import { toolSpecs } from '../../tools/toolSpecs';

const askSchema = z.strictObject({
  system: z.exactOptional(z.string()),
  messages: z.exactOptional(z.array(messageSchema).check(z.minLength(1))),
  tools: z.exactOptional(z.array(z.string())),
  toolChoice: z.exactOptional(z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string() })])),
  model: z.exactOptional(z.string()),
  temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
  maxOutputTokens: z.exactOptional(z.int().check(z.positive())),
  thinking: z.exactOptional(effortSchema),
  outputSchema: z.exactOptional(z.looseObject({ type: z.literal('object') })),
});

/**
 * Returns the conversation with a program's overrides for one request. Rejects with an EngineError `invalid-input` that says what
 * is not possible.
 */
export async function askedInstead(conversation: Conversation, ask: ModelAsk): Promise<Conversation> {
  const { error } = askSchema.safeParse(ask);
  if (error) throw refusal(`The arguments of askModel are not valid: ${z.misfit(error)}.`);
  const { signal, promptAndTools } = conversation;
  const resolved = conversation.resolve(ask.model ?? conversation.model.id);
  const model = (await resolved.provider.describe?.(resolved.model, signal)) ?? resolved.model;
  await promptAndTools.refresh();
  const tools = chosenTools(toolSpecs(promptAndTools.tools), ask);
  refuseImpossible(model, ask, tools);
  const { system, messages, toolChoice, outputSchema, maxOutputTokens } = ask;
  return {
    ...conversation,
    model: resolved.model,
    client: resolved.client,
    sampling: samplingOf(conversation.sampling, ask),
    // The vendor's token counts for this request say nothing about the agent's own requests.
    gauge: new TokenGauge(),
    instead: {
      ...(system !== undefined && { system }),
      ...(messages && { messages: repairTranscript(messages) }),
      tools,
      more: {
        ...(toolChoice !== undefined && tools.length > 0 && { toolChoice }),
        ...(outputSchema && { outputSchema }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      },
    },
  };
}

/** Returns the reply, with its parsed output if a schema was given. Throws EngineError `io` if it is not what was asked for. */
export function checkedReply(reply: ModelReply, { toolChoice, outputSchema }: ModelAsk): ModelReply {
  const { calls, text, message } = reply;
  const failed = (what: string) =>
    new EngineError('io', `${message.model} ${what}. Ask again, or choose another model.`);
  if (toolChoice === 'none' && calls.length > 0) throw failed('called a tool although it was told not to');
  if (toolChoice === 'required' && calls.length === 0) throw failed('did not call a tool although it was told to');
  if (typeof toolChoice === 'object' && !calls.some(({ name }) => name === toolChoice.tool)) {
    throw failed(`did not call ${toolChoice.tool} although it was told to`);
  }
  if (!outputSchema || calls.length > 0) return reply;
  const output = jsonIn(text);
  if (output === undefined) throw failed('did not answer with JSON although it was given a schema');
  const issues = checkArguments(output, outputSchema, 'answer');
  if (issues.length > 0) throw failed(`returned an answer that does not match the schema (${issues.join('; ')})`);
  return { ...reply, output };
}

function chosenTools(offered: readonly ToolSpec[], { tools }: ModelAsk): readonly ToolSpec[] {
  const unknown = tools?.filter((name) => !offered.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0) {
    const names = offered.map(({ name }) => name).join(', ') || 'none';
    throw refusal(`The agent has no tool ${unknown.join(', ')}. Its tools are: ${names}.`);
  }
  return tools ? offered.filter(({ name }) => tools.includes(name)) : offered;
}

function refuseImpossible(
  { id, abilities, efforts, maxOutputTokens }: Model,
  ask: ModelAsk,
  tools: readonly ToolSpec[],
) {
  const { toolChoice, temperature, thinking } = ask;
  const mustCall = toolChoice === 'required' || typeof toolChoice === 'object';
  if (!abilities.tools && (mustCall || (ask.tools ?? []).length > 0)) {
    throw refusal(`${id} cannot call tools. Omit tools and toolChoice, or choose another model.`);
  }
  if (mustCall && !abilities.forcedCalls) {
    throw refusal(`${id} cannot be told to call a tool. Omit toolChoice, or choose another model.`);
  }
  if (mustCall && tools.length === 0) throw refusal('toolChoice requires a call, but there are no tools. Pass some.');
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.tool)) {
    throw refusal(`toolChoice names ${toolChoice.tool}, which is not among the tools. Add it to tools.`);
  }
  if (temperature !== undefined && abilities.thinking) {
    throw refusal(`${id} is a reasoning model and does not accept a temperature. Omit it, or choose another model.`);
  }
  if (thinking !== undefined && (efforts ? !efforts.includes(thinking) : !abilities.thinking)) {
    const taken = efforts && efforts.length > 0 ? `it takes ${efforts.join(', ')}` : 'it takes none';
    throw refusal(`${id} does not take the thinking effort “${thinking}”; ${taken}.`);
  }
  if ((ask.maxOutputTokens ?? 0) > (maxOutputTokens ?? Infinity)) {
    throw refusal(`${id} writes at most ${maxOutputTokens} tokens, fewer than maxOutputTokens. Ask for less.`);
  }
}

function samplingOf(own: Sampling, { temperature, thinking }: ModelAsk): Sampling {
  return {
    ...own,
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { effort: thinking }),
  };
}

/** Also reads JSON in a code block, which models without schema support tend to write. */
function jsonIn(text: string): unknown {
  for (const one of [text, firstCodeBlock(text)]) {
    try {
      const value: unknown = JSON.parse(one);
      return value;
    } catch {
      // Not JSON: try the next way of reading it.
    }
  }
  return undefined;
}

function refusal(text: string): EngineError {
  return new EngineError('invalid-input', text);
}
