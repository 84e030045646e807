import type { Image } from '../../messages/attachment';
import type { Message } from '../../messages/message';
import type { LlmClient, LlmEvent, LlmFailure, LlmRequest } from '../llmClient';
import { replaceImages } from './replaceImages';

/** Refused pictures, as `keyOf` names them: each run has a client of its own, and would otherwise send them again. */
const refused = new Set<string>();
const MOST_REFUSED = 1000;
const SAMPLES = 32;
const SAMPLE = 16;

/**
 * Replaces pictures that the provider does not accept by a note, and sends the request again: each later request would contain them,
 * too, and would fail. Those added since the last answer are left out first, since it has read the others before.
 */
export function leaveOutRefusedPictures(next: LlmClient, model: string): LlmClient {
  return {
    stream(request, signal) {
      const images = imagesIn(request.messages).filter((image) => !isRefused(image, model));
      return images.length === 0
        ? next.stream(withoutRefused(request, model), signal)
        : streamAgain(next, request, model, signal);
    },
  };
}

async function* streamAgain(
  next: LlmClient,
  request: LlmRequest,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  for (let notice: string | undefined = ''; notice !== undefined;) {
    if (notice !== '') yield { type: 'notice', text: notice };
    notice = undefined;
    let hasBegun = false;
    for await (const event of next.stream(withoutRefused(request, model), signal)) {
      if (!hasBegun && event.type === 'failed') notice = noticeAfter(event.failure, request.messages, model);
      if (notice !== undefined) break;
      hasBegun ||= event.type !== 'notice';
      yield event;
    }
  }
}

/** Marks the pictures that a failure is about, and returns what to tell the user; undefined if it is about something else. */
function noticeAfter(failure: LlmFailure, messages: readonly Message[], model: string): string | undefined {
  const count = isAboutPictures(failure) ? refuse(messages, model) : 0;
  if (count === 0) return undefined;
  const [says = ''] = / It says: ".*"\.?/s.exec(failure.message) ?? [];
  const what = count === 1 ? 'a picture' : `${count} pictures`;
  return `The model’s provider refused ${what}, so the model gets a note instead.${says}`;
}

function isAboutPictures({ reason, message }: LlmFailure): boolean {
  return (reason === 'bad-request' || reason === 'server') && /image|picture|media.?type|base64/i.test(message);
}

/** Marks the pictures since the last answer, or else all of them. Returns how many were marked. */
function refuse(messages: readonly Message[], model: string): number {
  const said = messages.findLastIndex(({ role }) => role === 'assistant');
  const open = (some: readonly Message[]) => imagesIn(some).filter((image) => !isRefused(image, model));
  const fresh = open(messages.slice(said + 1));
  const images = fresh.length > 0 ? fresh : open(messages);
  if (refused.size > MOST_REFUSED) refused.clear();
  for (const image of images) refused.add(keyOf(image, model));
  return images.length;
}

function isRefused(image: Image, model: string): boolean {
  return refused.size > 0 && refused.has(keyOf(image, model));
}

/** Identifies a picture by samples, because the whole may be megabytes. */
function keyOf({ mediaType, data }: Image, model: string): string {
  const step = Math.max(SAMPLE, Math.floor(data.length / SAMPLES));
  const samples = Array.from({ length: SAMPLES }, (_, at) => data.slice(at * step, at * step + SAMPLE));
  return [model, mediaType, data.length, ...samples, data.slice(-SAMPLE)].join(' ');
}

function withoutRefused(request: LlmRequest, model: string): LlmRequest {
  if (refused.size === 0) return request;
  const note = (image: Image) =>
    isRefused(image, model)
      ? `\n[A picture (${image.mediaType}) was here. It cannot be shown to you; say so if the answer depends on it.]\n`
      : undefined;
  const isOf = (message: Message) => imagesIn([message]).some((image) => isRefused(image, model));
  if (!request.messages.some(isOf)) return request;
  return { ...request, messages: request.messages.map((one) => (isOf(one) ? replaceImages(one, note) : one)) };
}

function imagesIn(messages: readonly Message[]): Image[] {
  return messages.flatMap((message): readonly Image[] => {
    if (message.role === 'user') return message.parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
    return message.role === 'tool' ? message.results.flatMap(({ images = [] }) => images) : [];
  });
}
