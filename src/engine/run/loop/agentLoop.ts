import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { AgentState, Question, QuestionAnswer } from '../../events/agentEvent';
import type { RunOutcome } from '../../events/runOutcome';
import type { OneQuestion } from '../../llm/askOnce';
import type { ToolChoice } from '../../llm/llmClient';
import type { Effort } from '../../llm/model';
import type { AssistantMessage, Message, UserInput } from '../../messages/message';
import { type ToolCall, toolCallSchema, type ToolResult } from '../../messages/toolCall';
import type { HiddenContext } from '../../tools/hiddenContext';
import type { TeamDesk } from '../../tools/team/teamDesk';
import type { TodoList } from '../../tools/todoList';

/** Events that a loop may emit to its run's listeners. Text and thinking are pieces of its next answer. */
export type LoopEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  | { type: 'notice'; level: 'info' | 'warning'; text: string };

/** States that a loop may set; the others follow from what it does. */
export type LoopState = Extract<AgentState, 'idle' | 'thinking' | 'running-tool' | 'waiting-for-agent'>;

/** A model's answer to a loop. */
export interface ModelReply {
  text: string;
  /** The calls the model wants made, for `runCalls`. */
  calls: readonly ToolCall[];
  message: AssistantMessage;
  /** With `outputSchema`: the parsed answer, which matches the schema. Undefined if the model calls tools instead. */
  output?: unknown;
}

/** Overrides for one request of a loop. What is absent is as the agent has it. */
export interface ModelAsk {
  /** Replaces the agent's prompt. */
  readonly system?: string;
  /** Replaces the conversation. Sent unchanged and not stored; the answer is stored with the conversation. */
  readonly messages?: readonly Message[];
  /** Names of the agent's tools to offer to the model; `[]` for none. */
  readonly tools?: readonly string[];
  /** Whether the model may, must, or must not call a tool, or which one it must call. */
  readonly toolChoice?: ToolChoice;
  /** `provider:model`, for this request. */
  readonly model?: string;
  /** 0 to 2. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Reasoning effort. */
  readonly thinking?: Effort;
  /** A JSON Schema of type object. The answer is then JSON that matches it, returned as `output`. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What the rules decide about a call. */
export interface PermissionCheck {
  action: 'allow' | 'ask' | 'deny';
  /** A sentence that names the rule. */
  reason: string;
}

/**
 * A run as the loop of its agent sees it: the conversation, the model, the tools, other agents, and the user. When the run is
 * canceled or over, everything pending rejects with an error named AbortError, which the loop should let through.
 */
export interface AgentInternals extends HiddenContext {
  readonly sessionId: string;
  readonly agent: string;
  /** Absolute path of the folder that relative paths are resolved against. */
  readonly workspace: string;
  /** `provider:model`. */
  readonly model: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  /** The conversation so far, including earlier runs in the session. */
  readonly history: readonly Message[];
  readonly state: AgentState;
  readonly todos: TodoList;
  /** Other agents, as available to an agent's tools. Those still running when the loop ends are stopped. */
  readonly team: TeamDesk;
  /** Whether a message is waiting that `receive` returns at once. */
  readonly hasInput: boolean;

  /** Waits for the next message to the agent: first what the run was started with, then what is sent to it. */
  receive(): Promise<UserInput>;
  /** Pieces of an answer are merged and stored with the session at the next `receive`, call, or end. */
  send(event: LoopEvent): void;
  setState(state: LoopState): void;
  /**
   * Asks the run's model, with the current conversation, the agent's prompt, and its tools, or as `ask` overrides them; stores
   * the answer. Queued behind earlier calls of this method, `runCalls`, and `callTool`. Rejects with EngineError `invalid-input`
   * if the model cannot be asked that way, and `io` if its answer is not what was asked for.
   */
  askModel(ask?: ModelAsk): Promise<ModelReply>;
  /** Asks the run's model a question outside the conversation. */
  askOnce(question: OneQuestion): Promise<string>;
  /**
   * Carries out a reply's calls, as far as the permission rules and the user allow. Results are in the order of the calls.
   * Anything requested in the meantime, including of the model, is queued, so a tool must not wait for any of it.
   */
  runCalls(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /**
   * Carries out a call made by the loop itself. Failures are results with the status `error` or `rejected`. Rejects with
   * EngineError `invalid-input` if the input is not JSON.
   */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /**
   * Returns what the rules currently decide about a call, without running, asking, or storing anything. Rejects with EngineError
   * `invalid-input` if the agent has no such tool or the input does not match it.
   */
  checkPermission(tool: string, input: Readonly<Record<string, unknown>>): Promise<PermissionCheck>;
  /** Asks the user, or the agents above this one. */
  ask(question: Pick<Question, 'question' | 'kind' | 'options'>): Promise<QuestionAnswer>;
}

/** An agent written as a program. It resolves with its answer, or with undefined to use the last text it sent. */
export type AgentLoop = (internals: AgentInternals) => Promise<string | undefined>;

/** Thrown by one of Cairn's own loops to end its run with an outcome other than an answer. */
export class LoopEnd extends Error {
  constructor(
    readonly outcome: Exclude<RunOutcome, { kind: 'completed' }>,
    options?: ErrorOptions,
  ) {
    super(outcome.kind === 'failed' ? outcome.message : `The run ended: ${outcome.kind}.`, options);
    this.name = 'LoopEnd';
  }
}

/** Made when first used: only loops that programs write need them. */
const schemas = {
  send: z.lazy(() =>
    z.discriminatedUnion('type', [
      z.object({ type: z.enum(['text-delta', 'thinking-delta']), text: z.string() }),
      z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning']), text: z.string() }),
    ]),
  ),
  setState: z.lazy(() => z.enum(['idle', 'thinking', 'running-tool', 'waiting-for-agent'])),
  callTool: z.lazy(() =>
    z.object({
      name: z.string(),
      input: z.record(z.string(), z.unknown()).check(z.refine(isJson, 'expected a JSON value')),
    }),
  ),
  runCalls: z.lazy(() => z.array(toolCallSchema)),
  ask: z.lazy(() =>
    z.object({
      question: z.string(),
      kind: z.enum(['choice', 'checkbox', 'confirm', 'input']),
      options: z.array(z.string()),
    }),
  ),
};

/**
 * Validates the arguments that a loop, which may not be type-checked, passes to a method of its run. Throws an EngineError
 * `invalid-input` that names what is invalid.
 */
export function checkLoopUse(method: keyof typeof schemas, given: unknown): void {
  const { error } = schemas[method].safeParse(given);
  if (!error) return;
  throw new EngineError('invalid-input', `The arguments of ${method} are not valid: ${z.misfit(error)}.`);
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
