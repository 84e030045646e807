import { setTimeout as sleep } from 'node:timers/promises';
import type { SseStream } from './sseStream';
import type { Step, StepCall } from './story';

/** What an API sends for the parts of an answer. */
export interface Voice {
  begin(): void;
  think(piece: string): void;
  thought(step: Step): void;
  redacted(data: string): void;
  say(piece: string): void;
  refuse(piece: string): void;
  beginCall(call: StepCall, index: number): void;
  callPiece(piece: string, index: number): void;
  endCall(index: number): void;
  error(): void;
  /** In the words that the vendor has for it inside a stream. */
  overloaded(): void;
  finish(step: Step): void;
}

/** Thrown to stop a step at the point where it breaks off. */
class BrokenOff extends Error {}

/** Plays one step on an open stream. `hold` waits until the test releases it. */
export async function playStep(
  step: Step,
  voice: Voice,
  stream: SseStream,
  hold: (name: string) => Promise<void>,
): Promise<void> {
  if (step.fail === 'cut-before') return stream.cut();
  voice.begin();
  if (step.fail === 'error-in-stream' || step.fail === 'overloaded-in-stream') {
    if (step.fail === 'error-in-stream') voice.error();
    else voice.overloaded();
    stream.end();
    return;
  }
  const pieces = new Pieces(step, stream, hold);
  try {
    if (step.redacted !== undefined) voice.redacted(step.redacted);
    await pieces.send(step.think, (piece) => voice.think(piece));
    if (step.think !== undefined) voice.thought(step);
    await pieces.send(step.say, (piece) => voice.say(piece));
    await pieces.send(step.refuse, (piece) => voice.refuse(piece));
    await pieces.holdOnce();
    for (const [index, call] of (step.call ?? []).entries()) {
      voice.beginCall(call, index);
      await pieces.send(argumentsText(call), (piece) => voice.callPiece(piece, index));
      voice.endCall(index);
    }
    voice.finish(step);
    stream.end();
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
  }
}

class Pieces {
  private held = false;

  constructor(
    private readonly step: Step,
    private readonly stream: SseStream,
    private readonly hold: (name: string) => Promise<void>,
  ) {}

  async send(text: string | undefined, write: (piece: string) => void): Promise<void> {
    const size = this.step.chunk ?? 8;
    for (let at = 0; at < (text?.length ?? 0); at += size) {
      if (this.step.pauseMs !== undefined) await sleep(this.step.pauseMs);
      await this.step.pace?.(text?.slice(0, at) ?? '');
      write(text?.slice(at, at + size) ?? '');
      await this.breakOff();
      await this.holdOnce();
    }
  }

  async holdOnce(): Promise<void> {
    if (this.held || this.step.hold === undefined) return;
    this.held = true;
    await this.hold(this.step.hold);
  }

  private async breakOff(): Promise<void> {
    if (this.step.fail === 'cut-after') await this.stream.cut();
    else if (this.step.fail === 'end-early') this.stream.end();
    else return;
    throw new BrokenOff();
  }
}

function argumentsText(call: StepCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
