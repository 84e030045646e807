import { untilAborted } from '../../../base/abort';
import { withoutEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import type { Clock } from '../../ports';
import { lazyClient, type LlmClient } from '../llmClient';
import { type Abilities, type ListedModel, listedModelSchema, type Model } from '../model';
import { type Provider, type ProviderSettings, wayOf } from '../provider';
import { USUAL_QUIRKS } from '../sdk/chat/chatQuirks';
import { askServer, KeptAnswers, noModels } from './askServer';

const OWN_ADDRESS = 'http://127.0.0.1:11434';
/** A server on this machine either answers at once or is not running. */
const TIMEOUT_MS = 1000;
/** Long enough for one look at the model list, short enough to notice a server that just started. */
const KEEP_LIST_MS = 3000;
const KEEP_ABILITIES_MS = 10 * 60_000;

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });
const showSchema = z.object({ capabilities: z.array(z.string()) });

/** Returns the provider for a local Ollama, which is discovered automatically. It needs no key unless it is someone else's server. */
export function ollamaProvider(settings: ProviderSettings, clock: Pick<Clock, 'now'>): Provider {
  const address = () => withoutEnd(settings.baseUrl ?? OWN_ADDRESS, '/').replace(/\/v1$/, '');
  const lists = new KeptAnswers<readonly ListedModel[]>(clock, KEEP_LIST_MS);
  const shown = new KeptAnswers<Abilities | undefined>(clock, KEEP_ABILITIES_MS);
  let problem: string | undefined;
  const ask = async (path: string, body?: unknown, onProblem?: (why: string) => void) => {
    const key = (await settings.apiKey())?.trim() ?? '';
    const url = `${address()}${path}`;
    const { fetch } = settings;
    const question = { url, key, body, timeoutMs: TIMEOUT_MS, fetch, ...(onProblem && { onProblem }) };
    return askServer(question, new AbortController().signal);
  };
  // A missing server at the default address is not a problem: most users have none.
  const failed = (why: string) => (problem = settings.baseUrl === undefined ? undefined : noModels('Ollama', why));
  const list = () =>
    lists.get(address(), async () => {
      problem = undefined;
      return readTags(await ask('/api/tags', undefined, failed));
    });
  return {
    id: 'ollama',
    label: 'Ollama',
    needsKey: false,
    isReady: async () => (await list()).length > 0,
    listModels: (signal) => untilAborted(list(), signal).catch(() => []),
    listProblem: () => problem,
    async describe(model, signal) {
      const name = nameOf(model);
      const known = shown.get(`${address()} ${name}`, async () => readShow(await ask('/api/show', { model: name })));
      const abilities = await untilAborted(known, signal).catch(() => undefined);
      return abilities ? { ...model, abilities } : model;
    },
    client: (model) => chatOf(model, `${address()}/v1`, settings),
  };
}

function chatOf(model: Model, baseUrl: string, settings: ProviderSettings): LlmClient {
  const target = {
    label: 'Ollama',
    baseUrl,
    model,
    keyVariable: 'OLLAMA_API_KEY',
    needsKey: false,
    ...wayOf(settings),
    quirks: USUAL_QUIRKS,
  };
  return lazyClient(async () => {
    const { openaiChat, thinkTags } = await import('../sdkClients');
    return thinkTags(openaiChat(target));
  });
}

function nameOf({ id }: Model): string {
  return id.slice(id.indexOf(':') + 1);
}

/** The context window stays unknown: the server truncates conversations to its own limit, whatever the model supports. */
function readTags(answer: unknown): readonly ListedModel[] {
  const { models = [] } = tagsSchema.safeParse(answer).data ?? {};
  return models.flatMap(({ name }) => listedModelSchema.safeParse({ id: `ollama:${name}`, label: name }).data ?? []);
}

function readShow(answer: unknown): Abilities | undefined {
  const parsed = showSchema.safeParse(answer);
  if (!parsed.success) return undefined;
  const can = (what: string) => parsed.data.capabilities.includes(what);
  return {
    tools: can('tools'),
    forcedCalls: can('tools'),
    vision: can('vision'),
    thinking: can('thinking'),
    caching: false,
  };
}
