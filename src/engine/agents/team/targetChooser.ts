import { nearest } from '../../../base/nearest';
import { newId } from '../../../base/newId';
import type { Question } from '../../events/question';
import type { ScopedEmitter } from '../../events/scopedEmitter';
import { ToolFailure } from '../../tools/toolFailure';
import type { UserPrompter } from '../../tools/userPrompter';
import type { AgentDefinition } from '../agentDefinition';
import { callableTargets } from '../callableTargets';
import { targetAction } from '../formats/permissionMap';

export interface TargetChooserParts {
  agent: AgentDefinition;
  sessionId: string;
  /** Every agent that there is, at this moment. */
  agents(): Promise<readonly AgentDefinition[]>;
  prompter: UserPrompter;
  emitter: ScopedEmitter;
  signal: AbortSignal;
}

/** Which agents one may start. */
export class TargetChooser {
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

  private async askFor(name: string): Promise<void> {
    const { agent, sessionId, emitter, prompter, signal } = this.parts;
    const question: Question = {
      ...{ id: newId('question'), sessionId, callId: '', agent: agent.name, kind: 'confirm', options: [] },
      question: `${agent.name} wants to start the agent ${name}. May it?`,
    };
    emitter.emit({ type: 'question-asked', question });
    const answer = await prompter.ask(question, signal);
    emitter.emit({ type: 'question-answered', questionId: question.id, answer });
    if (answer.kind === 'answered' && /^y/i.test(answer.texts[0] ?? '')) return;
    const why = answer.kind === 'nobody' ? 'nobody is there to be asked' : 'the person said no';
    throw new ToolFailure('failed', `The agent ${name} was not started: ${why}. Go on without it.`);
  }
}
