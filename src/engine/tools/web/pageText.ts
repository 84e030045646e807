import type { Web, WebResponse } from '../../ports';
import { decodeText } from '../files/formats/textFile';
import { ToolFailure } from '../toolFailure';

const TEXT = /^(text\/|application\/(.*\+)?(json|xml|yaml|toml|javascript|ecmascript|x-ndjson|x-sh)$|image\/svg)/;
/** The number of characters of a page that are converted: converting takes time, and the rest would not be read. */
const MAX_HTML = 2_000_000;
const PLAIN = '(The page is too complex to be laid out as Markdown. This is its text alone, without links.)';
const HTML = /^(text\/html|application\/xhtml\+xml)$/;

/** Returns the content of a response as text: a page as Markdown, other text unchanged. Throws ToolFailure if it is not text. */
export async function pageText(
  response: WebResponse,
  web: Web,
  signal: AbortSignal,
): Promise<{ title: string; text: string }> {
  const [type = ''] = response.contentType.toLowerCase().split(';');
  const kind = type.trim();
  if (kind !== '' && !TEXT.test(kind)) throw notText(response, kind);
  const text = textOf(response);
  if (text === null) throw notText(response, kind || 'binary');
  const looksLikeHtml = /^\s*(<!doctype html|<html)/i.test(text);
  if (!HTML.test(kind) && !(kind === '' && looksLikeHtml)) return { title: '', text };
  const { title, markdown, isPlain } = await web.toMarkdown(text.slice(0, MAX_HTML), response.url, signal);
  return { title, text: isPlain ? `${PLAIN}\n\n${markdown}` : markdown };
}

/** Decodes with the character set that the server or the page names, otherwise like a file. */
function textOf({ body, contentType }: WebResponse): string | null {
  const charset = /charset\s*=\s*["']?([\w-]+)/i;
  const beginning = String.fromCharCode(...body.subarray(0, 1024));
  const label = (charset.exec(contentType) ?? charset.exec(/<meta[^>]*charset[^>]*>/i.exec(beginning)?.[0] ?? ''))?.[1];
  if (label !== undefined) {
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // An unknown name is ignored.
    }
  }
  return decodeText(body)?.text ?? null;
}

function notText({ url, body }: WebResponse, kind: string): ToolFailure {
  const size = `${Math.ceil(body.length / 1000)} kB`;
  return new ToolFailure(
    'failed',
    `${url} is ${kind} (${size}), which is neither text nor a picture. If you need it, download it with execute_command (curl -o).`,
  );
}

/** Wraps the content of a page in marks that it cannot close itself. */
export function pageData(tag: 'page' | 'results', contents: string): string {
  const mark = new RegExp(`<(?=/?${tag}>)`, 'gi');
  return `<${tag}>\n${contents.trim() === '' ? '(no text)' : contents.replace(mark, '&lt;')}\n</${tag}>`;
}
