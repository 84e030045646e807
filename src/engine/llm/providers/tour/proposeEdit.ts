import type { TourCall } from './tourStep';

const TOUR_FILE = 'cairn-tour.md';
const TOUR_LINE = 'This line was added on a tour of Cairn, and can go at any time.';
const TOUR_CONTENTS = `# Cairn was here

This file was written on a scripted tour of Cairn. You can delete it at any time.
`;

export interface ProposedEdit {
  kind: 'add' | 'remove' | 'create';
  path: string;
  call: TourCall;
}

/**
 * A small change: one line under the first heading of a Markdown file, or away with the line of an earlier tour, or, where
 * neither can be done safely, a file of its own. `read` is what `fs_read` printed.
 */
export function proposeEdit(path: string | undefined, read: string | undefined): ProposedEdit {
  const lines = read === undefined ? [] : numberedLines(read);
  if (path !== undefined && /\.md$/i.test(path)) {
    const text = lines.join('\n');
    if (occurrences(text, `\n\n${TOUR_LINE}`) === 1) return edit('remove', path, `\n\n${TOUR_LINE}`, '');
    const heading = lines.find((line) => /^#{1,6} \S/.test(line));
    const isUnique = heading !== undefined && occurrences(text, heading) === 1;
    if (isUnique && !text.includes(TOUR_LINE)) return edit('add', path, heading, `${heading}\n\n${TOUR_LINE}`);
  }
  const call = { name: 'fs_write', input: { path: TOUR_FILE, contents: TOUR_CONTENTS } };
  return { kind: 'create', path: TOUR_FILE, call };
}

function edit(kind: 'add' | 'remove', path: string, before: string, after: string): ProposedEdit {
  return { kind, path, call: { name: 'fs_edit', input: { path, old_string: before, new_string: after } } };
}

function numberedLines(read: string): string[] {
  return read.split('\n').flatMap((row) => /^\s*\d+\t(.*)$/.exec(row)?.[1] ?? []);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
