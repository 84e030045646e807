const TEXT_FILE =
  /\.(md|txt|json|jsonc|ya?ml|toml|ini|cfg|[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|sh|lua|html|css|scss|sql|xml)$/i;
const LARGEST_BYTES = 200_000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1000],
  ['MB', 1_000_000],
]);

/** A text file worth reading out of what `fs_ls` printed: the readme, else package.json, else the first that is small. */
export function pickFile(listing: string): string | undefined {
  const names = listing.split('\n').flatMap(textFileIn);
  return (
    names.find((name) => /^readme\.md$/i.test(name)) ??
    names.find((name) => name === 'package.json') ??
    // Hidden files are settings at best and secrets at worst.
    names.find((name) => !name.startsWith('.'))
  );
}

/** A row is a name, two spaces and a size; folders have no size. */
function textFileIn(row: string): string[] {
  const { name, size, unit } = /^(?<name>.+?) {2}(?<size>[\d.]+) (?<unit>B|kB|MB)\b/.exec(row)?.groups ?? {};
  if (name === undefined || !TEXT_FILE.test(name)) return [];
  const bytes = Number(size) * (UNITS.get(unit ?? '') ?? 0);
  return bytes > 0 && bytes <= LARGEST_BYTES ? [name] : [];
}
