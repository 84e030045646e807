import type { TextPieces } from '../ports';
import type { AgentEventBody } from './agentEvent';

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
