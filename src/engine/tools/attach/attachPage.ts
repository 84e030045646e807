import { type Attachment, textAttachment } from '../../messages/attachment';
import type { Web } from '../../ports';
import { imageOutput } from '../files/formats/imageOutput';
import { pageText } from '../web/pageText';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;
const MAX_CHARACTERS = 40_000;

/** What an address answers, to go with a message. Throws a sentence for the person when there is nothing to read. */
export async function attachPage(web: Web, url: string, label: string, signal: AbortSignal): Promise<Attachment> {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  // The person named this host; where it sends us on is another matter.
  const allowsPrivate = (one: string) => Promise.resolve(one === host);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const response = await web.get({ url, ...limits, allowsPrivate }, signal);
  if (response.status >= 400) throw new Error(`${url} answers with status ${response.status}.`);
  const picture = imageOutput(response.body, response.url)?.images?.[0];
  if (picture) return { type: 'image', image: picture, label };
  const { title, text } = await pageText(response, web, signal);
  const shown = text.slice(0, MAX_CHARACTERS);
  const cut = shown.length < text.length;
  const contents = cut ? `${shown}\n(the rest is left out; fetch_url gives it)` : shown;
  const source = title === '' ? response.url : `${response.url} (${title})`;
  return textAttachment({ kind: 'page', label, ...(cut && { note: 'The beginning of it' }) }, source, contents);
}
