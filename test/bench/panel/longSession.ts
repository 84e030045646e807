import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '../../../src/engine';

/** Each round of the session adds three transcript entries: a message, a tool card, and an answer. */
const ENTRIES_IN_ROUND = 3;

export const LAST_WORDS = 'These are the last words of the long session.';

/** Writes a session with `entries` entries in Cairn's format and returns its title. */
export function writeLongSession(sessionsFolder: string, workspace: string, entries: number): string {
  const id = '10000000-0000-4000-8000-000000000000';
  const title = 'The long session';
  const folder = path.join(sessionsFolder, id);
  mkdirSync(folder, { recursive: true });
  const created = { version: 1, id, title, opening: 'Round', name: null, createdAt: 1, modifiedAt: Date.now() };
  const metadata = { ...created, workspace, model: 'openai:mock', approvalMode: 'edits-and-commands' };
  writeFileSync(path.join(folder, 'metadata.json'), JSON.stringify(metadata));
  const rounds = Math.ceil(entries / ENTRIES_IN_ROUND);
  const lines = Array.from({ length: rounds }, (_, index) => roundOf(index, index === rounds - 1)).flat();
  writeFileSync(
    path.join(folder, 'history.jsonl'),
    lines.map((message) => `${JSON.stringify({ type: 'message', message })}\n`).join(''),
  );
  return title;
}

function roundOf(index: number, isLast: boolean): Message[] {
  const time = 1_700_000_000_000 + index * 60_000;
  const id = (what: string): string => `${what}-${index}`;
  const own = { agent: 'coder', model: 'openai:mock', time };
  const input = { path: `src/file${index}.ts` };
  const result = `1\texport const v = ${index};`;
  const words = isLast
    ? LAST_WORDS
    : `It says **${index}**, and that is what \`v\` is:\n\n\`\`\`ts\nconst v = ${index};\n\`\`\``;
  return [
    {
      role: 'user',
      id: id('user'),
      time,
      steering: false,
      parts: [{ type: 'text', text: `Round ${index}: what is v?` }],
    },
    {
      role: 'assistant',
      id: id('call'),
      ...own,
      finish: 'tool-calls',
      parts: [{ type: 'tool-call', call: { id: id('read'), name: 'fs_read', arguments: JSON.stringify(input) } }],
    },
    {
      role: 'tool',
      id: id('tool'),
      time,
      results: [{ callId: id('read'), name: 'fs_read', status: 'ok', text: result, detail: null, durationMs: 1 }],
    },
    { role: 'assistant', id: id('say'), ...own, finish: 'stop', parts: [{ type: 'text', text: words }] },
  ];
}
