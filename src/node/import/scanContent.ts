import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import type { ContentFolder, Found, ImportedFile, ImportItem, ItemKind } from './importItem';
import type { ItemSecrets, SecretsOut } from './secretsOut';
import type { SourceFolder } from './sourceFolder';

const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_FOLDER_BYTES = 20 * 1024 * 1024;

/** Files that contain keys, wherever they are. */
const SECRET_FILE =
  /(?:^|\/)(?:\.env(?:\..*)?|\.netrc|\.npmrc|\.pypirc|.*\.(?:pem|key|p12|pfx)|id_[a-z0-9]+|[^/]*credentials?[^/]*\.json)$/i;
/** Files that tools generate or that only they use. */
const MADE = /(?:^|\/)(?:\.git|node_modules|__pycache__|\.DS_Store|\.venv)(?:\/|$)/;

/** Runs the work for one item. If it fails, only that item is lost, and the problem is reported. */
export async function attempt(found: Found, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isAbort(error)) throw error;
    found.problems.push(errorText(error));
  }
}

export interface ContentScan {
  source: SourceFolder;
  found: Found;
  secrets: SecretsOut;
}

interface ContentKindOf {
  kind: ItemKind;
  folder: ContentFolder;
  /** Added to the notes of each item. */
  notes?: readonly string[];
  /** Changes the text of a single-file item, or of a folder's files, and reports the changes. */
  change?: (text: string, path: string, secrets: ItemSecrets) => Promise<Changed> | Changed;
}

export interface Changed {
  text: string;
  notes: readonly string[];
}

/** Imports each file with one of the extensions below a folder as an item named after its path. */
export async function filesIn(
  { source, found, secrets }: ContentScan,
  parts: readonly string[],
  endings: readonly string[],
  what: ContentKindOf,
): Promise<void> {
  await attempt(found, async () => {
    const { files, links } = await source.below(...parts);
    tellLinks(links, source, parts, found);
    for (const relative of files) {
      const ending = endings.find((one) => relative.endsWith(one));
      if (ending === undefined || MADE.test(relative) || SECRET_FILE.test(relative)) continue;
      const place = [...parts, ...relative.split('/')];
      await attempt(found, async () => {
        const name = relative.slice(0, -ending.length);
        const taken = secrets.ofItem(name);
        const { file, notes } = await readFile(source, place, { path: ending, relative }, what, taken);
        const content = {
          type: 'files',
          folder: what.folder,
          single: true,
          files: [file],
          secrets: taken.all,
        } as const;
        found.items.push(itemOf(what, { name, from: source.at(...place), content, notes }));
      });
    }
  });
}

/** Imports a folder with its contents as one item. `skip` matches files to leave out. */
export async function folderItem(
  { source, found, secrets }: ContentScan,
  parts: readonly string[],
  name: string,
  what: ContentKindOf & { skip?: RegExp },
): Promise<void> {
  await attempt(found, async () => {
    const { files, links } = await source.below(...parts);
    tellLinks(links, source, parts, found);
    const taken = secrets.ofItem(name);
    const notes: string[] = [];
    const kept: ImportedFile[] = [];
    let room = MAX_FOLDER_BYTES;
    for (const relative of files) {
      if (MADE.test(relative) || what.skip?.test(relative)) continue;
      if (SECRET_FILE.test(relative)) {
        notes.push(`${relative} was left out: such files hold secrets.`);
        continue;
      }
      const place = [...parts, ...relative.split('/')];
      const { file, notes: more } = await readFile(source, place, { path: relative, relative }, what, taken);
      room -= file.bytes.length;
      if (room < 0) throw new Error(`${source.at(...parts)} is larger than Cairn imports (20 MB), so it was left out.`);
      kept.push(file);
      notes.push(...more);
    }
    if (kept.length === 0) return;
    const content = { type: 'files', folder: what.folder, single: false, files: kept, secrets: taken.all } as const;
    found.items.push(itemOf(what, { name, from: source.at(...parts), content, notes }));
  });
}

/** Reports only the number of files that Cairn reads directly from the other tool's folder. */
export async function toldWhereItIs(
  { source, found }: ContentScan,
  kind: ItemKind,
  folder: string,
  counts: (file: string) => boolean,
  why = 'Cairn reads them where they are.',
): Promise<void> {
  await attempt(found, async () => {
    const count = (await source.below(folder)).files.filter(counts).length;
    if (count === 0) return;
    const name = `${count} in ${folder}`;
    found.items.push({
      kind,
      name,
      from: source.at(folder),
      content: { type: 'left', why },
      notes: [],
    });
  });
}

function itemOf(
  { kind, notes = [] }: ContentKindOf,
  item: Pick<ImportItem, 'name' | 'from' | 'content' | 'notes'>,
): ImportItem {
  return { kind, ...item, notes: [...item.notes, ...notes] };
}

async function readFile(
  source: SourceFolder,
  place: readonly string[],
  { path, relative }: { path: string; relative: string },
  { change }: ContentKindOf,
  secrets: ItemSecrets,
): Promise<{ file: ImportedFile; notes: readonly string[] }> {
  const read = await source.readBytes(place, MAX_FILE_BYTES);
  if (!read) throw new Error(`${source.at(...place)} is gone.`);
  const { bytes, executable } = read;
  const text = textOf(bytes);
  if (text === undefined) return { file: { path, bytes, executable }, notes: [] };
  const changed = (await change?.(text, relative, secrets)) ?? { text, notes: [] };
  const safe = secrets.text(changed.text);
  const notes =
    safe === changed.text ? [] : [`${relative}: what looks like a secret was replaced by a {{NAME}}; check that line.`];
  return { file: { path, bytes: Buffer.from(safe), executable }, notes: [...changed.notes, ...notes] };
}

/** Decodes text; returns undefined for images and other binary files. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function tellLinks(links: readonly string[], source: SourceFolder, parts: readonly string[], found: Found): void {
  for (const link of links) {
    if (MADE.test(link)) continue;
    found.problems.push(
      `${source.at(...parts, link)} is a link and is not followed. Name its target with --from to import it.`,
    );
  }
}
