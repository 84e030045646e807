import type { CollectedReply } from '../../llm/collectReply';
import type { LlmEvent, LlmRequest } from '../../llm/llmClient';
import type { ResolvedModel } from '../../llm/providerRegistry';
import type { UserInput } from '../../messages/message';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';

/** The middleware as one run meets it. What carries it out is loaded with the first that there is. */
export class PlacedMiddleware {
  constructor(
    private readonly all: () => readonly EngineMiddleware[],
    private readonly context: MiddlewareContext,
  ) {}

  /** The same, for as long as another signal says. */
  until(signal: AbortSignal): PlacedMiddleware {
    return new PlacedMiddleware(this.all, { ...this.context, signal });
  }

  /** The same model; whatever it is asked goes through the middleware first. */
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

  /** What the agent is to be told. Rejects with EngineError `middleware`, or with AbortError. */
  async onUserMessage(input: UserInput): Promise<UserInput> {
    const all = this.all();
    if (all.length === 0) return input;
    const { changedInput } = await import('./askMiddleware');
    return changedInput(all, input, this.context);
  }

  /** A whole answer as it is to be kept; one that is not whole is shown to nobody. */
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
