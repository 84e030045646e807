import { assertNever } from '../../src/base/errors';
import { safeText } from '../../src/base/shown/safeText';
import type { ChatEntry, ToolDetail } from '../../src/protocol/chatState';

const known = new WeakMap<ChatEntry, string>();

/**
 * Returns the searchable text of an entry, close to how it is rendered: Markdown without its markup. Cached for as long as the
 * entry exists.
 */
export function entryText(entry: ChatEntry): string {
  const text = known.get(entry) ?? safeText(textOf(entry));
  known.set(entry, text);
  return text;
}

function textOf(entry: ChatEntry): string {
  switch (entry.kind) {
    case 'user':
    case 'notice':
    case 'thinking':
      return entry.text;
    case 'text':
      return plainText(entry.text);
    case 'tool':
      return `${entry.title}\n${entry.detail ? detailText(entry.detail) : entry.output}`;
    case 'agent':
      return `${entry.agent} ${entry.task}\n${plainText(entry.answer ?? '')}`;
    case 'graph':
      return `${entry.name}\n${entry.nodes.map(({ node, note }) => `${node} ${note}`).join('\n')}`;
    case 'turn':
      return '';
    default:
      return assertNever(entry);
  }
}

function detailText(detail: ToolDetail): string {
  switch (detail.kind) {
    case 'text':
    case 'file':
      return detail.text;
    case 'command':
      return detail.output;
    case 'change':
      return detail.diff.hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))).join('\n');
    default:
      return assertNever(detail);
  }
}

/** Strips Markdown. Not a parser: it only needs to be fast on long sessions, and correct for what users search for. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/gm, '$1');
}
