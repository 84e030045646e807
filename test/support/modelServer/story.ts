import type { ModelRequest } from './modelRequest';

/** One answer of the scripted model. Everything is optional; parts come in the order thinking, text, calls. */
export interface Step {
  think?: string;
  /** Proof of the thinking, where the interface has one. */
  signature?: string;
  /** Encrypted thinking, where the interface has it. */
  redacted?: string;
  say?: string;
  refuse?: string;
  call?: readonly StepCall[];
  /** Characters in a piece of text or arguments; default 8. */
  chunk?: number;
  /** Wait between two pieces. */
  pauseMs?: number;
  /** After the first piece of text or thinking, or before the calls when there is none, waits for `server.release(name)`. */
  hold?: string;
  fail?: StepFailure;
  /** Default: what the parts call for. */
  finish?: 'stop' | 'length';
  /** Of the input, `cached` came from the cache. */
  usage?: { input: number; output: number; cached?: number };
  /** Throws when the request is not what the story expects; the model then answers with status 500 and the message. */
  expect?(request: ModelRequest): void;
}

export interface StepCall {
  name: string;
  /** A string is sent as it is, broken or not. */
  arguments: Record<string, unknown> | string;
  /** Default: a new one. The empty string sends none, where the interface allows that. */
  id?: string;
}

export type StepFailure =
  | {
      status: number;
      /** Default: an error as the vendor words it. A string is sent as plain text. */
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
    }
  /** A web page with status 200. */
  | 'html'
  /** The connection breaks before the first piece, or after it. */
  | 'cut-before'
  | 'cut-after'
  /** The stream ends in good order after the first piece, but without a finish reason. */
  | 'end-early'
  /** An error of the vendor inside the stream, before the first piece. */
  | 'error-in-stream'
  /** Nothing is ever answered. */
  | 'hang';

/** A step may be computed, for example to repeat what a tool said. */
export type StoryStep = Step | ((request: ModelRequest) => Step);

/** Answers every request for which it holds, before the steps in order are looked at; it is never used up. */
export interface WhenStep {
  when: (request: ModelRequest) => boolean;
  step: StoryStep;
}

/** One step for each request, in the order they come, besides the `when` steps. */
export type Story = readonly (StoryStep | WhenStep)[];

export function isWhenStep(step: StoryStep | WhenStep): step is WhenStep {
  return typeof step === 'object' && 'when' in step;
}
