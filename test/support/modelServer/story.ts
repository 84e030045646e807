import type { ModelRequest } from './modelRequest';

/** One answer of the scripted model. Everything is optional; parts come in the order thinking, text, calls. */
export interface Step {
  think?: string;
  /** Signature of the thinking, if the API has one. */
  signature?: string;
  /** Encrypted thinking, if the API has it. */
  redacted?: string;
  say?: string;
  refuse?: string;
  call?: readonly StepCall[];
  /** Characters per chunk of text or arguments; default 8. */
  chunk?: number;
  /** Pause before each chunk. */
  pauseMs?: number;
  /** Waits before each chunk of text, given what was sent before it. */
  pace?: (sent: string) => Promise<void>;
  /** Waits for `server.release(name)` after the first chunk of text or thinking, or before the calls if there is none. */
  hold?: string;
  fail?: StepFailure;
  /** Default: what the parts imply. */
  finish?: 'stop' | 'length';
  /** `cached` is the part of the input that came from the cache, `written` the part that was added to it. */
  usage?: { input: number; output: number; cached?: number; written?: number };
  /** Throws if the request is not what the story expects; the model then answers with status 500 and the message. */
  expect?(request: ModelRequest): void;
}

export interface StepCall {
  name: string;
  /** A string is sent as is, valid or not. */
  arguments: Record<string, unknown> | string;
  /** Default: a new id. An empty string sends none, if the API allows that. */
  id?: string;
}

export type StepFailure =
  | {
      status: number;
      /** Default: an error in the vendor's format. A string is sent as plain text. */
      body?: unknown;
      headers?: Readonly<Record<string, string>>;
    }
  /** A web page with status 200. */
  | 'html'
  /** The connection breaks before or after the first chunk. */
  | 'cut-before'
  | 'cut-after'
  /** The stream ends normally after the first chunk, but without a finish reason. */
  | 'end-early'
  /** A vendor error inside the stream, before the first chunk. */
  | 'error-in-stream'
  /** The same, from a vendor that has too much to do. */
  | 'overloaded-in-stream'
  /** Never answers. */
  | 'hang';

/** A step can be computed, for example to repeat a tool's result. */
export type StoryStep = Step | ((request: ModelRequest) => Step);

/** Answers every request that matches, before the sequential steps are considered. It is never used up. */
export interface WhenStep {
  when: (request: ModelRequest) => boolean;
  step: StoryStep;
  /** Leaves these requests out of `requests`, for those that may come at any time between the story's own. */
  isAside?: true;
}

/** One step per request, in order, in addition to the `when` steps. */
export type Story = readonly (StoryStep | WhenStep)[];

export function isWhenStep(step: StoryStep | WhenStep): step is WhenStep {
  return typeof step === 'object' && 'when' in step;
}
