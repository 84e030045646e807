import { memoizeByObject } from '../../../base/memoizeByObject';
import type { Image } from '../../messages/attachment';
import type { AssistantMessage, Message, ToolMessage } from '../../messages/message';
import { laterStream, type LlmClient, type LlmEvent, type LlmRequest } from '../llmClient';
import { type Effort, type Model, takenEffort } from '../model';
import { replaceImages } from './replaceImages';

/**
 * Restricts a request to what the model supports: no images without vision, no tools without tool calling, no output limit above
 * its own, no temperature for thinking models, no reasoning effort it rejects. The model is told in text what was left out, and
 * the user once, as a notice.
 */
export function respectAbilities(next: LlmClient, describe: (signal: AbortSignal) => Promise<Model>): LlmClient {
  return {
    stream: (request, signal) =>
      laterStream(async () => streamAble(next, { request, model: await describe(signal) }, signal)),
  };
}

function streamAble(
  next: LlmClient,
  { request, model }: { request: LlmRequest; model: Model },
  signal: AbortSignal,
): AsyncIterable<LlmEvent> {
  const { tools, vision, thinking } = model.abilities;
  const seen = vision ? request.messages : withoutImages(request.messages);
  const limit = request.maxOutputTokens;
  const { effort: wanted, ...asked } = request;
  const effort = effortFor({ effort: wanted }, model);
  const events = next.stream(
    {
      ...(thinking ? withoutSampling(asked) : asked),
      ...(effort !== undefined && { effort }),
      messages: tools ? seen : withoutTools(seen),
      tools: tools ? request.tools : [],
      ...(limit !== undefined && { maxOutputTokens: Math.min(limit, model.maxOutputTokens ?? limit) }),
    },
    signal,
  );
  const told = notices(request, model);
  return told.length > 0 ? afterNotices(told, events) : events;
}

async function* afterNotices(
  told: readonly string[],
  events: AsyncIterable<LlmEvent>,
): AsyncGenerator<LlmEvent, void, void> {
  for (const text of told) yield { type: 'notice', text };
  yield* events;
}

/** Thinking models reject sampling parameters. */
function withoutSampling(request: LlmRequest): LlmRequest {
  const plain = { ...request };
  delete plain.temperature;
  delete plain.topP;
  return plain;
}

/** Returns the effort to send. Passed through unchanged when it is unknown which efforts a thinking model accepts. */
function effortFor({ effort }: { effort?: Effort | undefined }, { abilities, efforts }: Model): Effort | undefined {
  if (effort === undefined) return undefined;
  if (efforts) return takenEffort(effort, efforts);
  return abilities.thinking ? effort : undefined;
}

/** Covers only what is new since the model's last answer, so that nothing is reported twice. */
function notices({ messages, tools, ...request }: LlmRequest, model: Model): string[] {
  const { label, abilities } = model;
  const said = messages.findLastIndex(({ role }) => role === 'assistant');
  const fresh = messages.slice(said + 1);
  const told: string[] = [];
  if (!abilities.vision && withoutImages(fresh).some((message, index) => message !== fresh[index])) {
    told.push(
      `${label} does not support images, so the image was replaced by a note. To ask about it, choose a model that does.`,
    );
  }
  if (!abilities.tools && tools.length > 0 && fresh.some((one) => one.role === 'user' && !one.steering)) {
    told.push(
      `${label} cannot call tools, so it can neither read nor change files. To have work done, choose another model.`,
    );
  }
  const steered = request.temperature !== undefined || request.topP !== undefined;
  if (abilities.thinking && steered && said < 0) {
    told.push(`${label} does not accept temperature or top_p, so they are left out.`);
  }
  const effort = effortFor(request, model);
  if (said < 0 && request.effort !== effort) {
    told.push(
      effort === undefined
        ? `${label} does not support reasoning effort, so “${request.effort}” is left out.`
        : `${label} does not support the reasoning effort “${request.effort}”; “${effort}” is used instead.`,
    );
  }
  return told;
}

/** Replaces images with text. A message without images is returned as the same object. */
function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map(wordsFor);
}

const wordsFor = memoizeByObject((message: Message): Message => {
  const isUsed = message.role === 'user' && message.parts.some(({ type }) => type === 'image');
  const isShown = message.role === 'tool' && message.results.some(({ images }) => images?.length);
  return isUsed || isShown ? replaceImages(message, note) : message;
});

function note({ mediaType }: Image): string {
  return `\n[A picture (${mediaType}) was here. You cannot see pictures; say so if the answer depends on it.]\n`;
}

/** Converts calls and results to text, for a model that does not support tools. */
export function withoutTools(messages: readonly Message[]): Message[] {
  return messages.map(asText);
}

const asText = memoizeByObject((message: Message): Message => {
  if (message.role === 'tool') return resultsAsText(message);
  if (message.role === 'assistant' && message.parts.some(({ type }) => type === 'tool-call'))
    return callsAsText(message);
  return message;
});

function callsAsText(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call'
      ? { type: 'text' as const, text: `\n[Called ${part.call.name} with ${part.call.arguments}]\n` }
      : part,
  );
  return { ...message, parts };
}

function resultsAsText({ id, time, results }: ToolMessage): Message {
  const parts = results.flatMap(({ name, text, images = [] }) => [
    { type: 'text' as const, text: `[Result of ${name}]\n${text}\n` },
    ...images.map((image) => ({ type: 'image' as const, image })),
  ]);
  return { role: 'user', id, time, steering: true, parts };
}
