import { type Disposable, onDispose } from '../../../base/disposable';
import * as z from '../../../base/zod';
import { callable, checkPlugin } from '../../checkPlugin';
import { EngineError } from '../../engineError';
import type { CollectedReply } from '../../llm/collectReply';
import type { LlmEvent, LlmRequest } from '../../llm/llmClient';
import type { ResolvedModel } from '../../llm/providerRegistry';
import type { UserInput } from '../../messages/message';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

const HOOKS = ['onUserMessage', 'beforeModel', 'afterModel'] as const;

/** An engine's middleware, in the order it was added. */
export class MiddlewareChain {
  private all: readonly EngineMiddleware[] = [];

  /** Takes effect with the next message and the next request. Throws EngineError `exists` or `invalid-input`. */
  add(middleware: EngineMiddleware): Disposable {
    const hook = z.optional(callable);
    const hooks = { onUserMessage: hook, beforeModel: hook, afterModel: hook };
    checkPlugin('middleware', middleware, z.object({ name: z.string().check(z.minLength(1)), ...hooks }));
    if (this.all.some(({ name }) => name === middleware.name)) {
      const hint = 'Remove it first, or choose another name.';
      throw new EngineError('exists', `There is a middleware “${middleware.name}” already. ${hint}`);
    }
    if (HOOKS.every((hook) => middleware[hook] === undefined)) {
      const hint = `Give it one of ${HOOKS.join(', ')}.`;
      throw new EngineError('invalid-input', `The middleware “${middleware.name}” has no known hook. ${hint}`);
    }
    this.all = [...this.all, middleware];
    return onDispose(() => {
      this.all = this.all.filter((one) => one !== middleware);
    });
  }

  at(context: MiddlewareContext): PlacedMiddleware {
    return new PlacedMiddleware(() => this.all, context);
  }
}

/** The middleware in the context of one run. The code that applies it is loaded only when there is any. */
export class PlacedMiddleware {
  constructor(
    private readonly all: () => readonly EngineMiddleware[],
    private readonly context: MiddlewareContext,
  ) {}

  /** Returns the same middleware with another signal. */
  until(signal: AbortSignal): PlacedMiddleware {
    return new PlacedMiddleware(this.all, { ...this.context, signal });
  }

  /** Returns the same model with the middleware applied to its requests. */
  around<T extends Pick<ResolvedModel, 'model' | 'client'>>(resolved: T): T {
    const { client } = resolved;
    return {
      ...resolved,
      client: {
        stream: (request: LlmRequest, signal: AbortSignal) =>
          this.all().length === 0 ? client.stream(request, signal) : this.through(resolved, request, signal),
      },
    };
  }

  /** Returns the message the agent is to receive. Rejects with EngineError `middleware`, or with AbortError. */
  async onUserMessage(input: UserInput): Promise<UserInput> {
    const all = this.all();
    if (all.length === 0) return input;
    const { changedInput } = await import('./askMiddleware');
    return changedInput(all, input, this.context);
  }

  /** Returns a complete answer as it is to be stored. Incomplete answers are not passed to middleware. */
  async afterModel(reply: CollectedReply): Promise<CollectedReply> {
    const all = this.all();
    if (all.length === 0 || reply.failure) return reply;
    const { changedReply } = await import('./askMiddleware');
    return changedReply(all, reply, this.context);
  }

  private async *through(
    { model, client }: Pick<ResolvedModel, 'model' | 'client'>,
    request: LlmRequest,
    signal: AbortSignal,
  ): AsyncIterable<LlmEvent> {
    const { askThrough } = await import('./askMiddleware');
    yield* askThrough(this.all(), client, { request, model: model.id, context: { ...this.context, signal } });
  }
}
