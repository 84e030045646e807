import { assertNever } from '../../base/errors';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { RunOutcome } from '../events/runOutcome';
import type { Message, UserMessage } from '../messages/message';
import type { FileDiff, ToolResult } from '../messages/toolCall';
import type { SessionEntry, SessionMetadata } from './sessionEntry';

export type ExportFormat = 'markdown' | 'json';

/** The part of a session that is exported. */
interface ExportedSession {
  metadata: SessionMetadata;
  history: readonly SessionEntry[];
}

/** Returns the session as text: Markdown for people, with unsafe characters neutralized, or JSON with everything as stored. */
export function exportSession({ metadata, history }: ExportedSession, format: ExportFormat): string {
  if (format === 'json') return `${JSON.stringify({ version: 1, metadata, history }, null, 2)}\n`;
  const begun = new Date(metadata.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const head = [
    `# ${safeLine(metadata.title) || 'Untitled session'}`,
    `Begun ${begun} UTC in ${inCode(metadata.workspace)}.`,
  ];
  return safeText(`${[...head, ...history.flatMap(entryBlocks)].join('\n\n')}\n`);
}

function entryBlocks(entry: SessionEntry): string[] {
  if (entry.type === 'message') return messageBlocks(entry.message);
  return entry.type === 'run-finished' ? outcomeBlocks(entry.outcome) : [];
}

function messageBlocks(message: Message): string[] {
  switch (message.role) {
    case 'user': {
      return ['## You', ...message.parts.map(userPart)];
    }
    case 'assistant':
      return [
        `## ${safeLine(message.agent)} (${safeLine(message.model)})`,
        ...message.parts.flatMap((part) => {
          if (part.type === 'text') return [withoutOurMarks(part.text)];
          if (part.type === 'thinking') return part.text === '' ? [] : [folded('Thinking', withoutOurMarks(part.text))];
          return part.type === 'tool-call'
            ? [`**${safeLine(part.call.name)}**`, fenced(part.call.arguments, 'json')]
            : [];
        }),
      ];
    case 'tool':
      return message.results.map(resultBlock);
    default:
      return assertNever(message);
  }
}

function userPart(part: UserMessage['parts'][number]): string {
  if (part.type === 'image')
    return part.label === undefined ? '*(a picture)*' : `*(a picture: ${safeLine(part.label)})*`;
  return part.attachment ? folded(`Attachment: ${part.attachment.label}`, fenced(part.text.trim(), '')) : part.text;
}

function resultBlock({ name, status, text, detail }: ToolResult): string {
  const shown = detail?.kind === 'change' ? fenced(diffText(detail.diff), 'diff') : fenced(text, '');
  return folded(`Result of ${name} (${status})`, shown);
}

function diffText({ hunks }: FileDiff): string {
  return hunks
    .map(({ oldStart, newStart, lines }) => [`@@ -${oldStart} +${newStart} @@`, ...lines].join('\n'))
    .join('\n');
}

function outcomeBlocks(outcome: RunOutcome): string[] {
  if (outcome.kind === 'completed') return [];
  if (outcome.kind === 'failed') return [`*The run failed: ${safeLine(outcome.message, 2000)}*`];
  return [`*The run ended: ${outcome.kind}.*`];
}

function folded(summary: string, text: string): string {
  return `<details><summary>${escaped(safeLine(summary))}</summary>\n\n${text}\n\n</details>`;
}

/**
 * Returns a model's text without what would make it look like another part of the export: headings such as those of messages,
 * HTML that begins headings or folded sections or hides what follows, and a code block that is left open.
 */
function withoutOurMarks(text: string): string {
  let fence = '';
  const lines = text.split('\n').map((line) => {
    const [, mark = '', rest = ''] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})([^]*)$/.exec(line) ?? [];
    if (fence === '') {
      fence = mark;
      return mark === '' ? withoutHtml(line) : line;
    }
    if (mark.startsWith(fence) && rest.trim() === '') fence = '';
    return line;
  });
  return [...lines, ...(fence === '' ? [] : [fence])].join('\n').replace(SECOND_HEADING, withoutOurHeading);
}

const HTML =
  /(?<!`)(`{1,20})(?!`)[^`]+\1|<(?=\/?(?:h[1-6]|details|summary|script|style|pre|textarea|title|iframe)\b|[!?])/gi;

/** Leaves inline code as it is. */
function withoutHtml(line: string): string {
  return line.replace(HTML, (found) => (found === '<' ? '&lt;' : found));
}

/** A heading of the second level, written with number signs or with a line of hyphens or equals signs below it. */
const SECOND_HEADING = /^( {0,3})(##[ \t]+.*|\S.*\n {0,3}(?:-+|=+)[ \t]*)$/gm;

function withoutOurHeading(heading: string, indent: string, written: string): string {
  const [words = '', underline] = written.split('\n');
  const bare = words.replace(/^##[ \t]+|[*_~`\\]|<[^<>]*>/g, '').trimEnd();
  // In two steps, so that the time does not grow with the square of the blanks.
  const plain = bare.replace(/(?<=[ \t])#+$/, '');
  const isOurs = isSpeaker(plain.trim()) || /&#?\w+;/.test(words);
  if (!isOurs) return heading;
  return underline === undefined
    ? `${indent}\\${written}`
    : `${indent}${words}\n${underline.replace(/\S/, (sign) => `\\${sign}`)}`;
}

/** Whether a heading names who speaks: “You”, or an agent with its model in brackets, as in “build (vendor:model)”. */
function isSpeaker(words: string): boolean {
  if (/^you$/i.test(words)) return true;
  const at = words.lastIndexOf(' (');
  const model = words.slice(at + 2, -1);
  // A single expression would take the square of the number of colons.
  const colon = model.indexOf(':', 1);
  return at > 0 && words.endsWith(')') && !/[\s()]/.test(model) && colon !== -1 && colon < model.length - 1;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function inCode(text: string): string {
  return `\`${safeLine(text, 1000, 'exact').replaceAll('`', "'")}\``;
}

/** Uses a fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
