import type { Emitter } from '../../base/disposable';
import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approvalHandler';
import type { Clock, Ports, TextPieces } from '../ports';
import { struckMessage, struckReply } from '../secrets/struckMessage';
import type { AgentEvent, AgentEventBody } from './agentEvent';
import { struckOutcome } from './runOutcome';

/** The origin of the events. */
interface EventScope {
  runId: string;
  sessionId: string;
  agentPath: readonly string[];
}

/** Redacts known secrets in texts. */
type Striking = Pick<Ports, 'strike' | 'strikePieces'>;

/** Stamps the events of one agent in a run, redacts secrets in them, and emits them. */
export class ScopedEmitter {
  private seq = 0;
  private readonly pieces: StruckPieces | undefined;

  constructor(
    private readonly out: Emitter<AgentEvent>,
    private readonly scope: EventScope,
    private readonly clock: Clock,
    private readonly striking: Striking = {},
  ) {
    const { strikePieces } = striking;
    if (strikePieces) this.pieces = new StruckPieces(strikePieces);
  }

  emit(body: AgentEventBody): void {
    const { strike } = this.striking;
    for (const one of this.pieces?.next(body) ?? [body]) this.stamp(strike ? struckEvent(one, strike) : one);
  }

  private stamp(body: AgentEventBody): void {
    this.out.emit({ seq: ++this.seq, time: this.clock.now(), ...this.scope, ...body });
  }
}

type Strike = (text: string) => string;

/**
 * Redacts the texts of an event with `strike`. Leaves out deltas, which are redacted across their boundaries, and results, which
 * were redacted when they were created.
 */
function struckEvent(body: AgentEventBody, strike: Strike): AgentEventBody {
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

/** The rest of the request was redacted when it was created; only the handler that shows the change gets it unredacted. */
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

/** Events that end a streamed text; any other event may occur in the middle of a word. */
const ENDS: ReadonlySet<AgentEventBody['type']> = new Set([
  ...(['text-finished', 'thinking-finished', 'tool-announced', 'tool-prepared'] as const),
  ...(['reply-finished', 'message-taken', 'run-finished'] as const),
]);

type Progress = Extract<AgentEventBody, { type: 'tool-progress' }>;

/**
 * Redacts secrets in streamed text of models and tools, even if they are split across pieces: text that may become a secret is
 * held back until it is decided.
 */
class StruckPieces {
  private open: { type: Delta['type']; pieces: TextPieces } | undefined;
  /** By call id. */
  private readonly calls = new Map<string, TextPieces>();

  constructor(private readonly begin: () => TextPieces) {}

  /** Returns the events that can be emitted now, in order. */
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
