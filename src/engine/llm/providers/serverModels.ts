import { withoutEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import type { Fetch } from '../../ports';
import { type ListedModel, listedModelSchema } from '../model';
import { askServer } from './askServer';

const TIMEOUT_MS = 3000;

const size = z.catch(z.nullish(z.int().check(z.positive())), undefined);
const texts = z.catch(z.nullish(z.array(z.string())), undefined);
const modelSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.catch(z.nullish(z.string()), undefined),
    /** The context window, under the names used by OpenRouter and Together, Groq, Mistral, and vLLM. */
    context_length: size,
    context_window: size,
    max_context_length: size,
    max_model_len: size,
    /** OpenRouter. */
    architecture: z.catch(z.nullish(z.object({ input_modalities: texts })), undefined),
    supported_parameters: texts,
    /** Mistral. */
    capabilities: z.catch(
      z.nullish(
        z.object({ completion_chat: z.optional(z.boolean()), function_calling: z.boolean(), vision: z.boolean() }),
      ),
      undefined,
    ),
  }),
);
type ServerModel = z.infer<typeof modelSchema>;

/** Most hosts answer `{data: […]}`; Together answers with a bare array. */
const answerSchema = z.lazy(() =>
  z.union([
    z.pipe(
      z.object({ data: z.array(z.unknown()) }),
      z.transform(({ data }) => data),
    ),
    z.array(z.unknown()),
  ]),
);

interface ModelServerAddress {
  /** The provider's ID, used as the prefix of model IDs. */
  provider: string;
  baseUrl: string;
  /** Empty if there is none. */
  key: string;
}

/**
 * Returns the models that a host lists at `/models`. Returns none if it does not answer in time or with a list; `onProblem` is
 * then called with the reason.
 */
export async function serverModels(
  { provider, baseUrl, key }: ModelServerAddress,
  signal: AbortSignal,
  fetch?: Fetch,
  onProblem?: (why: string) => void,
): Promise<readonly ListedModel[]> {
  const url = `${withoutEnd(baseUrl, '/')}/models`;
  const told = await askServer({ url, key, timeoutMs: TIMEOUT_MS, fetch, ...(onProblem && { onProblem }) }, signal);
  const answer = answerSchema.safeParse(told);
  if (!answer.success) {
    if (told !== undefined) onProblem?.(`${url} answered with something that is not a list of models`);
    return [];
  }
  return answer.data.flatMap((value) => {
    const model = modelSchema.safeParse(value);
    if (!model.success || model.data.capabilities?.completion_chat === false) return [];
    // Omits models whose ID is not valid in `provider:model` form.
    return listedModelSchema.safeParse(listedModel(provider, model.data)).data ?? [];
  });
}

function listedModel(provider: string, model: ServerModel): z.input<typeof listedModelSchema> {
  const name = model.id.replace(/^models\//, '');
  const inputs = model.architecture?.input_modalities;
  const parameters = model.supported_parameters;
  const { function_calling: tools, vision } = model.capabilities ?? {};
  return {
    id: `${provider}:${name}`,
    label: model.name ?? name,
    contextWindow:
      model.context_length ?? model.context_window ?? model.max_context_length ?? model.max_model_len ?? null,
    abilities: {
      ...(tools !== undefined && { tools }),
      ...(vision !== undefined && { vision }),
      ...(inputs && { vision: inputs.includes('image') }),
      ...(parameters && { tools: parameters.includes('tools'), thinking: parameters.includes('reasoning') }),
    },
  };
}
