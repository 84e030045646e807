import { newId } from '../../base/newId';
import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolCall';
import { questionTitle } from '../tools/peopleTools';

interface OutsideQuestion extends Pick<Question, 'sessionId' | 'agent' | 'question'> {
  kind: 'input' | 'confirm' | 'choice';
  /** The options of a choice. */
  options?: readonly string[];
  /** Rejects only with AbortError. */
  ask: (question: Question, signal: AbortSignal) => Promise<QuestionAnswer>;
  /** The result shown on the card. */
  result: (answer: QuestionAnswer) => Pick<ToolResult, 'status' | 'text'>;
}

/**
 * Asks a question that does not come from a call of the model. Since questions are displayed with their call, it emits the events
 * of a call to the corresponding tool. Rejects only with AbortError.
 */
export async function askOutsideCalls(
  { ask, result, ...words }: OutsideQuestion,
  emitter: ScopedEmitter,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const question: Question = { options: [], ...words, id: newId('question'), callId: newId('call') };
  const { callId } = question;
  const tool = words.kind === 'choice' ? 'user__ask' : `user__${words.kind}`;
  const title = questionTitle(words.question);
  emitter.emit({ type: 'tool-prepared', callId, tool, category: 'user', title });
  emitter.emit({ type: 'state-changed', state: 'waiting-for-answer' });
  emitter.emit({ type: 'question-asked', question });
  const answer = await ask(question, signal);
  emitter.emit({ type: 'question-answered', questionId: question.id, answer });
  const { status, text } = result(answer);
  const shown: ToolResult = { callId, name: tool, status, text, detail: { kind: 'text', text }, durationMs: 0 };
  emitter.emit({ type: 'tool-finished', result: shown });
  return answer;
}
