import { AbortError } from '../../base/abort';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import { EngineError, type SecretValues } from '../../engine';
import { errorCode } from '../fileError';
import { runChild } from '../processes/nodeProcessRunner';
import { type ProgramProvider, type ProviderCall, providerCall } from './secretProviders';

/** Long enough for programs that prompt the user in their own window first. */
const TIME_OUT_MS = 60_000;
const MAX_ANSWER = 1_000_000;
const MAX_COMPLAINT = 20_000;
/** The user may add the secret or sign in by then. */
const ASKED_AGAIN_MS = 15_000;

/** Excludes names that start like an option, URL or file reference, which `aws` and `az` would interpret. */
const NAME = /^(?!.*(?:\.\.|:\/\/))[\p{L}\p{N}_][\p{L}\p{N}_ .:/+=-]*$/u;

const jsonText = z.nullable(z.string());
const jsonField = z.object({ value: z.optional(z.string()) });

interface ProgramSecretsParts {
  provider: ProgramProvider;
  /** Provides the PATH for the program, and its credentials. */
  env: NodeJS.ProcessEnv;
  /** The working directory. Never a workspace, which may contain a program of the same name. */
  cwd: string;
  /** Called with each value before it is returned. */
  hide?: (value: string) => void;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Returns the current time. Default: `Date.now`. */
  now?: () => number;
}

/**
 * Secrets from a provider's program. Each is requested once, on first use; a secret that the program did not return, or that is
 * forgotten, is requested again after a while.
 */
export class ProgramSecrets implements SecretValues {
  private readonly asked = new Map<string, Promise<string | undefined>>();
  /** The names of those being requested. */
  private readonly asking = new Set<string>();
  /** When each was requested, by name. */
  private readonly askedAt = new Map<string, number>();
  /** When each request that returned nothing was answered, by name. */
  private readonly missedAt = new Map<string, number>();
  /** Why requests fail, and since when. */
  private failed: { error: EngineError; at: number } | undefined;
  /** Serializes calls, because the first may have to sign in. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ProgramSecretsParts) {}

  /**
   * Returns the secret; undefined if the provider has none with this name. Rejects with EngineError saying what to do, and with
   * AbortError.
   */
  get(name: string): Promise<string | undefined> {
    const known = this.asked.get(name);
    if (known && this.isRecent(this.missedAt.get(name))) return known;
    this.missedAt.delete(name);
    const next = this.last.then(() => this.ask(name));
    const missed = () => void this.missedAt.set(name, this.now());
    this.asking.add(name);
    this.last = next
      .then((value) => (value === undefined ? missed() : undefined), missed)
      .then(() => this.asking.delete(name));
    this.asked.set(name, next);
    this.askedAt.set(name, this.now());
    return next;
  }

  /** Has no effect on a secret that was requested only recently, or is being requested: the user may have to sign in for it first. */
  forget(name: string): void {
    if (!this.isRecent(this.askedAt.get(name)) && !this.asking.has(name)) this.asked.delete(name);
  }

  private async ask(name: string): Promise<string | undefined> {
    if (this.failed && this.isRecent(this.failed.at)) throw this.failed.error;
    if (!NAME.test(name))
      throw new EngineError(
        'invalid-input',
        `“${safeLine(name)}” is not a valid secret name in ${this.parts.provider.type}.`,
      );
    const call = providerCall(this.parts.provider, name);
    try {
      const value = await this.run(call);
      if (value) this.parts.hide?.(value);
      return value;
    } catch (error) {
      if (EngineError.is(error, 'denied') || EngineError.is(error, 'not-found'))
        this.failed = { error, at: this.now() };
      throw error;
    }
  }

  private isRecent(since = Infinity): boolean {
    return this.now() - since < ASKED_AGAIN_MS;
  }

  private now(): number {
    return (this.parts.now ?? Date.now)();
  }

  private async run(call: ProviderCall): Promise<string | undefined> {
    const { env, cwd, timeoutMs = TIME_OUT_MS, signal } = this.parts;
    const limit = new AbortController();
    const ended = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    const said = { stdout: '', stderr: '' };
    const onOutput = (chunk: string, from: 'stdout' | 'stderr') => {
      if (from === 'stdout') said.stdout += chunk;
      else said.stderr = (said.stderr + chunk).slice(0, MAX_COMPLAINT);
      if (said.stdout.length > MAX_ANSWER) limit.abort();
    };
    const request = { file: call.program, args: call.args, cwd, env, timeoutMs, onOutput };
    const end = await runChild(request, ended).catch((error: unknown) => {
      if (signal?.aborted) throw new AbortError();
      throw limit.signal.aborted
        ? new EngineError('invalid-input', `\`${call.program}\` returned more than a secret can hold.`)
        : notStarted(call, error);
    });
    if (end.timedOut) {
      const seconds = Math.round(timeoutMs / 1000);
      throw new EngineError(
        'denied',
        `\`${call.program}\` did not answer within ${seconds} seconds. Run \`${call.signIn}\`, then try again.`,
      );
    }
    if (end.exitCode === 0) return valueIn(said.stdout, call);
    if (call.absent.test(said.stderr)) return undefined;
    throw refused(call, said.stderr, end.exitCode);
  }
}

function notStarted({ program }: ProviderCall, error: unknown): EngineError {
  const isAbsent = errorCode(error) === 'ENOENT';
  const message = isAbsent
    ? `\`${program}\` is not on PATH. Install it, or remove secrets_provider from config.yaml.`
    : `\`${program}\` could not be started (${errorText(error)}).`;
  return new EngineError('not-found', message, { cause: error });
}

function refused({ program, signedOut, signIn }: ProviderCall, stderr: string, exitCode: number | null): EngineError {
  if (signedOut.test(stderr)) return new EngineError('denied', `\`${program}\` is not signed in: run \`${signIn}\`.`);
  const first = stderr.split('\n').find((line) => line.trim() !== '') ?? `exit status ${exitCode ?? 'unknown'}`;
  return new EngineError('invalid-state', `\`${program}\` failed: ${safeLine(first.trim(), 300)}`);
}

function valueIn(stdout: string, { program, answer }: ProviderCall): string | undefined {
  if (answer === 'text') return stdout.replace(/\r?\n$/, '') || undefined;
  const value = parsed(stdout);
  if (answer === 'json') {
    const found = jsonText.safeParse(value);
    if (found.success) return found.data || undefined;
  } else {
    const found = jsonField.safeParse(value);
    if (found.success) return found.data.value || undefined;
  }
  // The output is left out, because it may contain the secret.
  throw new EngineError('invalid-state', `\`${program}\` returned an unexpected answer. Update it.`);
}

/** Parses JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
