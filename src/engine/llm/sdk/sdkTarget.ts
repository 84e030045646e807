import type { Disposable } from '../../../base/disposable';
import { setAlarm } from '../../alarm';
import type { Clock, Fetch } from '../../ports';
import type { LlmRequest } from '../llmClient';
import type { Model } from '../model';

/** The target of an SDK's requests: one model at one address, with the user's key. */
export interface SdkTarget {
  /** The provider's name in messages, such as "OpenAI". */
  label: string;
  /** In the form the SDK expects. May contain credentials, so it must never be shown unmasked. */
  baseUrl: string;
  model: Model;
  /** The environment variable that may contain the key, for messages. */
  keyVariable: string;
  /** False if requests may be sent without a key. */
  needsKey: boolean;
  apiKey(): Promise<string | undefined>;
  /** Absent: a stream may be silent indefinitely. */
  idle?: IdleLimit | undefined;
  /** The base URLs at which something has answered, so that a server that refuses a connection may be restarting. Absent: none. */
  answered?: Set<string> | undefined;
  /** Default: the process's `fetch`. */
  fetch?: Fetch | undefined;
  /** See EngineParts. */
  proxySignIn?: ((target: URL) => string | undefined) | undefined;
}

/** Returns the sampling parameters, which have the same names in all three protocols. Omits those left to the model's default. */
export function samplingParams({ temperature, topP }: LlmRequest): { temperature?: number; top_p?: number } {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { top_p: topP }) };
}

/**
 * Limits how long an SDK waits for a response to begin, on each try. The user's own server may first have to load its model and
 * process a whole conversation, so it gets the SDK's default.
 */
export function openingLimit({ idle, needsKey }: SdkTarget): { timeout?: number } {
  return idle && needsKey ? { timeout: idle.seconds() * 1000 } : {};
}

/** How long a stream may be silent. */
export interface IdleLimit {
  clock: Pick<Clock, 'sleep' | 'alarm'>;
  /** Read for each request, so that a change of the setting applies at once. */
  seconds: () => number;
}

/** Some vendors send keep-alives. A stream with nothing else for this many limits counts as stalled anyway. */
const PATIENCE = 10;

interface Watched {
  /** When the current wait began, and when the last byte arrived, in milliseconds since the epoch. */
  waitingSince: () => number;
  heardAt: () => number;
  onStall: (seconds: number) => void;
}

/** Calls `onStall` when nothing has come for too long, until disposed. Wakes up occasionally instead of on every chunk. */
export function watchIdle({ clock, seconds }: IdleLimit, watched: Watched): Disposable {
  const limit = seconds();
  const limitMs = limit * 1000;
  let wasQuiet = false;
  const sleep = (ms: number) => setAlarm(clock, ms, look);
  let alarm = sleep(Math.max(1, limitMs));
  function look(): void {
    const now = Date.now();
    const waits = now - watched.waitingSince();
    const quiet = Math.min(waits, now - watched.heardAt());
    const isQuiet = quiet >= limitMs || waits >= PATIENCE * limitMs;
    alarm = sleep(isQuiet ? limitMs / 10 : Math.max(1, limitMs - quiet));
    // Requires two looks in a row: after the machine slept, data that arrived in the meantime must be read first.
    if (isQuiet && wasQuiet) watched.onStall(limit);
    wasQuiet = isQuiet && !wasQuiet;
  }
  return { dispose: () => alarm.dispose() };
}
