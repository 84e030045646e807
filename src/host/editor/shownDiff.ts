/** Generated files, whose contents do not explain a change. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock|[^/]+\.min\.(?:js|css)|[^/]+\.(?:js|css)\.map)$/;

/**
 * Shortens a Git diff to about `max` characters. Small files are kept whole, larger ones get an equal share and are cut at a line
 * end. Lock files and other generated files are listed by name only.
 */
export function shownDiff(diff: string, max: number): string {
  const files = diff.split(/^(?=diff --git )/m).map(withoutGenerated);
  const cut = new Map<number, string>();
  let room = max;
  const bySize = files.map((text, at) => ({ text, at })).sort((a, b) => a.text.length - b.text.length);
  bySize.forEach(({ text, at }, done) => {
    const share = Math.floor(room / (bySize.length - done));
    const shown = text.length <= share ? text : cutAtLine(text, share);
    cut.set(at, shown);
    room -= Math.min(room, shown.length);
  });
  return files.map((_, at) => cut.get(at) ?? '').join('');
}

function withoutGenerated(text: string): string {
  const [head = ''] = text.split('\n', 1);
  const name = / b\/([^]+?)"?$/.exec(head)?.[1];
  return name !== undefined && GENERATED.test(name) ? `${head}\n(generated; its changes are left out)\n` : text;
}

function cutAtLine(text: string, share: number): string {
  const end = text.lastIndexOf('\n', share) + 1;
  const kept = end > 0 ? text.slice(0, end) : `${text.split('\n', 1)[0] ?? ''}\n`.slice(0, 500);
  return `${kept}(the rest of this file is left out)\n`;
}
