import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approvalHandler';
import type { TextPieces } from '../ports';
import { struckMessage, struckReply } from '../secrets/struckMessage';
import type { AgentEventBody } from './agentEvent';
import { struckOutcome } from './runOutcome';

type Strike = (text: string) => string;

/**
 * What happened, without what `strike` takes out of its texts. Pieces of texts stay as they are, and so do results, which were
 * struck when they were made.
 */
export function struckEvent(body: AgentEventBody, strike: Strike): AgentEventBody {
  switch (body.type) {
    case 'notice':
    case 'session-compressed':
      return { ...body, text: strike(body.text) };
    case 'tool-prepared':
    case 'session-renamed':
      return { ...body, title: strike(body.title) };
    case 'message-taken': {
      const message = struckMessage(body.message, strike);
      return message.role === 'user' ? { ...body, message } : body;
    }
    case 'reply-finished':
      return { ...body, message: struckReply(body.message, strike) };
    case 'node-finished':
      return body.failure === undefined ? body : { ...body, failure: strike(body.failure) };
    case 'agent-spawned':
      return { ...body, task: strike(body.task) };
    case 'agent-finished':
    case 'run-finished':
      return { ...body, outcome: struckOutcome(body.outcome, strike) };
    case 'approval-requested':
      return { ...body, request: struckRequest(body.request, strike) };
    case 'approval-answered':
      return { ...body, answer: struckAnswer(body.answer, strike) };
    case 'question-asked': {
      const { question } = body;
      return { ...body, question: { ...question, question: strike(question.question) } };
    }
    case 'question-answered':
      return body.answer.kind === 'nobody'
        ? body
        : { ...body, answer: { ...body.answer, texts: body.answer.texts.map(strike) } };
    case 'todo-changed':
      return { ...body, items: body.items.map((item) => ({ ...item, text: strike(item.text) })) };
    default:
      return body;
  }
}

/** All else of it was struck when it was made; only who has to show the change itself is handed it as it is. */
function struckRequest(request: ApprovalRequest, strike: Strike): ApprovalRequest {
  const { change } = request;
  if (!change) return request;
  const { before, after, proposed } = change;
  const texts = { before: before === null ? null : strike(before), after: strike(after) };
  return { ...request, change: { ...change, ...texts, ...(proposed !== undefined && { proposed: strike(proposed) }) } };
}

function struckAnswer(answer: ApprovalAnswer, strike: Strike): ApprovalAnswer {
  if (answer.kind === 'reject')
    return { ...answer, ...(answer.reason !== undefined && { reason: strike(answer.reason) }) };
  const { contents, basedOn } = answer;
  return {
    ...answer,
    ...(contents !== undefined && { contents: strike(contents) }),
    ...(basedOn !== undefined && { basedOn: strike(basedOn) }),
  };
}

type Delta = Extract<AgentEventBody, { type: 'text-delta' | 'thinking-delta' }>;

/** What ends a text; all else may happen while a model is in the middle of a word. */
const ENDS: ReadonlySet<AgentEventBody['type']> = new Set([
  ...(['text-finished', 'thinking-finished', 'tool-announced', 'tool-prepared'] as const),
  ...(['reply-finished', 'message-taken', 'run-finished'] as const),
]);

type Progress = Extract<AgentEventBody, { type: 'tool-progress' }>;

/** What models and tools say piece by piece, without secrets, wherever they are cut: what may become one is held back for so long. */
export class StruckPieces {
  private open: { type: Delta['type']; pieces: TextPieces } | undefined;
  /** By the ids of the calls under way. */
  private readonly calls = new Map<string, TextPieces>();

  constructor(private readonly begin: () => TextPieces) {}

  /** What can be told now, in its order. */
  next(body: AgentEventBody): AgentEventBody[] {
    const { type } = body;
    if (type === 'tool-progress') return this.progress(body);
    if (type === 'tool-finished') return [...this.endOfCall(body.result.callId), body];
    if (type !== 'text-delta' && type !== 'thinking-delta') return ENDS.has(type) ? [...this.end(), body] : [body];
    const before = this.open?.type === type ? [] : this.end();
    this.open ??= { type, pieces: this.begin() };
    return [...before, ...asDelta(type, this.open.pieces.push(body.text))];
  }

  private progress({ callId, chunk }: Progress): Progress[] {
    const pieces = this.calls.get(callId) ?? this.begin();
    this.calls.set(callId, pieces);
    return asProgress(callId, pieces.push(chunk));
  }

  private endOfCall(callId: string): Progress[] {
    const pieces = this.calls.get(callId);
    this.calls.delete(callId);
    return pieces ? asProgress(callId, pieces.end()) : [];
  }

  private end(): Delta[] {
    const { open } = this;
    this.open = undefined;
    return open ? asDelta(open.type, open.pieces.end()) : [];
  }
}

function asDelta(type: Delta['type'], text: string): Delta[] {
  return text === '' ? [] : [{ type, text }];
}

function asProgress(callId: string, chunk: string): Progress[] {
  return chunk === '' ? [] : [{ type: 'tool-progress', callId, chunk }];
}
