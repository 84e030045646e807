import { nearest } from '../../../base/nearest';
import { newId } from '../../../base/newId';
import type { Question, QuestionAnswer } from '../../events/question';
import type { ScopedEmitter } from '../../events/scopedEmitter';
import { questionTitle } from '../../tools/people/answerOutput';
import { ToolFailure } from '../../tools/toolFailure';
import type { AgentDefinition } from '../agentDefinition';
import { callableTargets } from '../callableTargets';
import { targetAction } from '../formats/permissionMap';

const TOOL = 'user__confirm';

export interface TargetChooserParts {
  agent: AgentDefinition;
  sessionId: string;
  /** Every agent that there is, at this moment. */
  agents(): Promise<readonly AgentDefinition[]>;
  /** Asks the person; of an agent that another one started, also those above it. */
  ask: (question: Question, signal: AbortSignal) => Promise<QuestionAnswer>;
  emitter: ScopedEmitter;
  signal: AbortSignal;
}

/** Which agents one may start. */
export class TargetChooser {
  private readonly answers = new Map<string, Promise<QuestionAnswer>>();

  constructor(private readonly parts: TargetChooserParts) {}

  async all(): Promise<AgentDefinition[]> {
    return callableTargets(this.parts.agent, await this.parts.agents(), { headless: false });
  }

  /** Asks the person where `permission.task` says so. Throws ToolFailure when it may not be started. */
  async find(name: string): Promise<AgentDefinition> {
    const targets = await this.all();
    const found = targets.find((one) => one.name === name);
    if (!found) {
      const names = targets.map((one) => one.name);
      const meant = nearest(name, names);
      const hint = meant === undefined ? ` You may start: ${names.join(', ') || 'none'}.` : ` Did you mean ${meant}?`;
      throw new ToolFailure('bad-arguments', `You may not start an agent “${name}”.${hint}`);
    }
    const { taskTargets } = this.parts.agent;
    if (taskTargets !== null && targetAction(taskTargets, name, 'deny') === 'ask') await this.askFor(name);
    return found;
  }

  /** Once for each agent in a run, also when it is started again. */
  private async askFor(name: string): Promise<void> {
    const asking = this.answers.get(name) ?? this.ask(name);
    this.answers.set(name, asking);
    const answer = await asking;
    if (answer.kind === 'answered' && /^y/i.test(answer.texts[0] ?? '')) return;
    const why = answer.kind === 'nobody' ? 'nobody is there to be asked' : 'the person said no';
    throw new ToolFailure('failed', `The agent ${name} was not started: ${why}. Go on without it.`);
  }

  /** Questions are shown where the call stands that asks them, so this one looks like a call of the tool for it. */
  private async ask(name: string): Promise<QuestionAnswer> {
    const { agent, sessionId, emitter, ask, signal } = this.parts;
    const callId = newId('start');
    const words = `${agent.name} wants to start the agent ${name}. May it?`;
    const question: Question = {
      ...{ id: newId('question'), sessionId, callId, agent: agent.name, kind: 'confirm', options: [] },
      question: words,
    };
    emitter.emit({ type: 'tool-prepared', callId, tool: TOOL, category: 'user', title: questionTitle(words) });
    emitter.emit({ type: 'state-changed', state: 'waiting-for-answer' });
    emitter.emit({ type: 'question-asked', question });
    const answer = await ask(question, signal);
    emitter.emit({ type: 'question-answered', questionId: question.id, answer });
    const text = answer.kind === 'answered' ? `The person answered: ${answer.texts.join()}` : 'Nobody answered.';
    const status = answer.kind === 'answered' ? 'ok' : 'error';
    const result = { callId, name: TOOL, status, text, detail: { kind: 'text', text }, durationMs: 0 } as const;
    emitter.emit({ type: 'tool-finished', result });
    return answer;
  }
}
