import { isAbort, throwIfAborted, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { newId } from '../../../base/newId';
import { EngineError } from '../../engineError';
import type { AgentState, Question, QuestionAnswer } from '../../events/agentEvent';
import type { RunOutcome } from '../../events/runOutcome';
import type { OneQuestion } from '../../llm/askOnce';
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  textOf,
  type UserInput,
} from '../../messages/message';
import type { ToolCall, ToolResult } from '../../messages/toolCall';
import type { RunMetadata } from '../../tools/hiddenContext';
import type { Resources } from '../../tools/resources';
import type { TeamDesk } from '../../tools/team/teamDesk';
import type { TodoList } from '../../tools/todoList';
import { askSideRequest } from '../askSideRequest';
import { askPerson } from '../prepareCall';
import type { Conversation, RunContext, RunPlace } from '../runContext';
import { askStep, callStep } from '../step';
import { takeInput } from '../takeInput';
import { tellWaits } from '../tellWaits';
import {
  type AgentInternals,
  type AgentLoop,
  checkLoopUse,
  LoopEnd,
  type LoopEvent,
  type LoopState,
  type ModelAsk,
  type ModelReply,
  type PermissionCheck,
} from './agentLoop';

/** Runs an agent that is a program. Without `input` it continues with the user's last message. */
export async function runLoop(
  context: RunContext,
  loop: AgentLoop,
  input: string | UserInput | undefined,
): Promise<RunOutcome> {
  const { conversation } = context;
  const internals = new LoopInternals(context, firstInput(conversation, input));
  try {
    const answer: unknown = await untilAborted(Promise.resolve(loop(internals)), conversation.signal);
    if (internals.ended) return internals.ended.outcome;
    await internals.reply.keep();
    if (answer === undefined) return { kind: 'completed', answer: internals.reply.lastText };
    if (typeof answer !== 'string')
      throw new TypeError(`its loop returned ${typeof answer} instead of a text or nothing`);
    if (answer !== internals.reply.lastText) {
      internals.reply.add('text', answer);
      await internals.reply.keep();
    }
    return { kind: 'completed', answer };
  } catch (error) {
    if (conversation.signal.aborted && isAbort(error)) throw error;
    if (internals.ended) return internals.ended.outcome;
    if (error instanceof LoopEnd) return error.outcome;
    return failed(conversation, error);
  } finally {
    await internals.reply.keep().catch((error: unknown) => {
      conversation.ports.log.error('What an agent said last could not be saved', error);
    });
    internals.close();
  }
}

function firstInput({ session }: RunPlace, input: string | UserInput | undefined): UserInput | undefined {
  if (input !== undefined) return typeof input === 'string' ? { text: input } : input;
  const last = session.messages.findLast((message) => message.role === 'user' && !message.automatic);
  return last?.role === 'user' ? { text: textOf(last) } : undefined;
}

function failed({ agent, ports }: RunPlace, error: unknown): RunOutcome {
  ports.log.error(`The agent ${agent}, which is a program, threw`, error);
  const message = `The agent “${agent}” failed: ${errorText(error).replace(/\.$/, '')}. Report it to its author, or choose another agent.`;
  return { kind: 'failed', reason: 'internal', message };
}

/** Collects the pieces of a loop's answer until they are stored as one message of the conversation. */
class LoopReply {
  private parts: AssistantPart[] = [];
  /** The text of the last message that was stored. */
  lastText = '';

  constructor(private readonly context: Conversation) {}

  add(type: 'text' | 'thinking', text: string): void {
    const last = this.parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
    this.context.emitter.emit({ type: type === 'text' ? 'text-delta' : 'thinking-delta', text });
  }

  /** Stores what was said so far, if anything. */
  async keep(call?: ToolCall): Promise<void> {
    if (call) this.parts.push({ type: 'tool-call', call });
    if (this.parts.length === 0) return;
    const { agent, model, session, emitter, ports } = this.context;
    const { parts } = this;
    this.parts = [];
    const message: AssistantMessage = {
      role: 'assistant',
      id: newId('msg'),
      time: ports.clock.now(),
      agent,
      model: model.id,
      parts,
      finish: call ? 'tool-calls' : 'stop',
    };
    await session.add(message);
    emitter.emit({ type: 'reply-finished', message });
    this.said(parts);
  }

  /** Records a reply that was stored elsewhere. */
  said(parts: readonly AssistantPart[]): void {
    this.lastText = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  }
}

/** Thrown into a loop when its run cannot continue: the model failed, or a limit was reached. */
class RunEnded extends Error {
  constructor(readonly outcome: RunOutcome) {
    super(outcome.kind === 'failed' ? outcome.message : `The run ended: ${outcome.kind}.`);
    this.name = 'RunEnded';
  }
}

/** Implements the run that a loop works with. */
class LoopInternals implements AgentInternals {
  readonly reply: LoopReply;
  /** Why the run cannot continue, however the loop handles the error. */
  ended: RunEnded | undefined;
  private current: AgentState = 'idle';
  private isOver = false;
  private calling: Promise<unknown> = Promise.resolve();

  /** `first`: what the run was started with, which is already in the conversation. */
  constructor(
    private readonly context: RunContext,
    private first: UserInput | undefined,
  ) {
    this.reply = new LoopReply(context.conversation);
  }

  get runId(): string {
    return this.context.conversation.runId;
  }

  get parentSessionId(): string | null {
    return this.context.calling.hidden.parentSessionId;
  }

  get turn(): number {
    return this.context.conversation.progress.turn;
  }

  get metadata(): RunMetadata {
    return this.context.calling.hidden.metadata;
  }

  get resources(): Resources {
    return this.context.calling.hidden.resources;
  }

  get sessionId(): string {
    return this.context.conversation.session.id;
  }

  get agent(): string {
    return this.context.conversation.agent;
  }

  get workspace(): string {
    return this.context.conversation.workspace;
  }

  get model(): string {
    return this.context.conversation.model.id;
  }

  get variables(): ReadonlyMap<string, string> {
    return this.context.variables;
  }

  get signal(): AbortSignal {
    return this.context.conversation.signal;
  }

  get history(): readonly Message[] {
    return this.context.conversation.session.messages;
  }

  get todos(): TodoList {
    return this.context.conversation.session.todos;
  }

  get team(): TeamDesk {
    return this.context.conversation.team.desk;
  }

  get state(): AgentState {
    return this.current;
  }

  get hasInput(): boolean {
    return this.first !== undefined || this.context.steering.waiting;
  }

  async receive(): Promise<UserInput> {
    this.checkAlive();
    await this.reply.keep();
    const { first } = this;
    this.first = undefined;
    const input = first ?? (await this.nextSent());
    this.context.calling.repeats.reset();
    return input;
  }

  send(event: LoopEvent): void {
    this.checkAlive();
    checkLoopUse('send', event);
    if (event.type === 'notice') this.context.conversation.emitter.emit(event);
    else this.reply.add(event.type === 'text-delta' ? 'text' : 'thinking', event.text);
  }

  setState(state: LoopState): void {
    this.checkAlive();
    if (state === this.current) return;
    checkLoopUse('setState', state);
    this.current = state;
    this.context.conversation.emitter.emit({ type: 'state-changed', state });
  }

  askModel(ask?: ModelAsk): Promise<ModelReply> {
    return this.inTurn(() => (ask ? this.replyTo(ask) : this.nextReply(this.context.conversation)));
  }

  async askOnce(question: OneQuestion): Promise<string> {
    this.checkAlive();
    const { conversation } = this.context;
    const asked = { onNotice: tellWaits(conversation.emitter), ...question };
    const answer = await askSideRequest(conversation, conversation, asked, this.signal);
    if (typeof answer !== 'string') throw this.end(answer);
    return answer;
  }

  async runCalls(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    checkLoopUse('runCalls', calls);
    return this.inTurn(() => this.carryOut(calls));
  }

  async callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    checkLoopUse('callTool', { name, input });
    return this.inTurn(async () => {
      // A program repeats a call on purpose.
      this.context.calling.repeats.reset();
      const call = { id: newId('call'), name, arguments: JSON.stringify(input) };
      await this.reply.keep(call);
      const [result] = await this.carryOut([call]);
      if (!result) throw new Error(`The call of ${name} has no result.`);
      return result;
    });
  }

  async checkPermission(tool: string, input: Readonly<Record<string, unknown>>): Promise<PermissionCheck> {
    this.checkAlive();
    const { checkPermission } = await import('./checkPermission');
    return checkPermission(this.context.calling, tool, input);
  }

  async ask(question: Pick<Question, 'question' | 'kind' | 'options'>): Promise<QuestionAnswer> {
    this.checkAlive();
    checkLoopUse('ask', question);
    return askPerson(this.context.calling, newId('call'), question);
  }

  /** Makes the run unusable once it is over. */
  close(): void {
    this.isOver = true;
  }

  /** Takes messages one at a time: those never received stay with the run, which stores them when it ends. */
  private async nextSent(): Promise<UserInput> {
    const { conversation, steering } = this.context;
    const { session, emitter, ports, middleware } = conversation;
    for (;;) {
      const input = steering.takeOne();
      if (input) {
        return await takeInput({ session, emitter, clock: ports.clock, middleware }, input, true).catch(
          (error: unknown) => {
            throw EngineError.is(error, 'middleware')
              ? this.end({ kind: 'failed', reason: 'middleware', message: error.message })
              : error;
          },
        );
      }
      this.setState('idle');
      await untilAborted(steering.next(), this.signal);
    }
  }

  private async replyTo(ask: ModelAsk): Promise<ModelReply> {
    // Loaded on first use, because most loops do not need it.
    const { askedInstead, checkedReply } = await import('./askedInstead');
    const conversation = await askedInstead(this.context.conversation, ask);
    return checkedReply(await this.nextReply(conversation), ask);
  }

  private async nextReply(conversation: Conversation): Promise<ModelReply> {
    await this.ready();
    this.current = 'thinking';
    const asked = await askStep({ ...this.context, conversation });
    throwIfAborted(this.signal);
    if (asked.kind === 'ended') throw this.end(asked.outcome);
    const { message, calls } = asked;
    this.reply.said(message.parts);
    return { text: textOf(message), calls, message };
  }

  private async carryOut(calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    await this.ready();
    if (calls.length === 0) return [];
    const called = await callStep(this.context, calls);
    if (called.kind === 'ended') throw this.end(called.outcome);
    return called.results;
  }

  /**
   * Runs one after another what a loop requests concurrently: vendors require results right after their calls, and each answer
   * after its question.
   */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.checkAlive();
    const before = this.calling;
    const done = untilAborted(before, this.signal).then(() => {
      this.checkAlive();
      return work();
    });
    this.calling = done.catch(() => undefined);
    return done;
  }

  private async ready(): Promise<void> {
    this.checkAlive();
    await this.reply.keep();
  }

  private checkAlive(): void {
    throwIfAborted(this.signal);
    if (this.isOver) throw new EngineError('invalid-state', `The run of ${this.agent} has ended. Start another one.`);
  }

  private end(outcome: RunEnded['outcome']): RunEnded {
    this.ended = new RunEnded(outcome);
    return this.ended;
  }
}
