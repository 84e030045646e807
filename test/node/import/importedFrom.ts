import path from 'node:path';
import type { ImportItem } from '../../../src/node/import/importItem';
import { scanSource, sourcesNamed } from '../../../src/node/import/importSources';
import { type ReportRow, type SecretSink, writeItems } from '../../../src/node/import/writeItems';
import { temporaryFolder, type TemporaryFolder } from '../temporaryFolder';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly secrets?: SecretSink;
}

/** The folder of another tool, and Cairn's own, into which it is imported. */
export interface ImportedFrom {
  /** The parent of both. */
  readonly folder: TemporaryFolder;
  /** Cairn's own folder. */
  readonly config: string;
  /** Finds what can be imported. With `inHome`, from where the tool keeps its files by itself. */
  readonly scan: (inHome?: boolean) => Promise<{ items: readonly ImportItem[]; problems: readonly string[] }>;
  /** Imports everything. */
  readonly run: (options?: ImportOptions) => Promise<ReportRow[]>;
}

/** Writes the files of a tool's folder, and removes everything afterwards. */
export async function importedFrom(
  tool: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (imported: ImportedFrom) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  const signal = new AbortController().signal;
  const [root, config] = ['theirs', 'own'].map((name) => path.join(folder.path, name));
  if (root === undefined || config === undefined) throw new Error('There are two folders.');
  const found = async (inHome: boolean) => {
    const env = inHome ? { [`${tool.toUpperCase()}_CONFIG_DIR`]: root } : {};
    const places = { home: '/nowhere', env, platform: 'linux', own: config } as const;
    const [source] = await sourcesNamed(`${tool}:${root}`, places, signal);
    if (!source) throw new Error(`There is no folder of ${tool}.`);
    return scanSource(source, {});
  };
  try {
    for (const [name, contents] of Object.entries(files)) await folder.write({ [`theirs/${name}`]: contents });
    await use({
      folder,
      config,
      scan: async (inHome = false) => (await found(inHome)).found,
      run: async ({ dryRun = false, secrets } = {}) => {
        const {
          found: { items },
          strike,
        } = await found(true);
        const target = {
          ...{ configFolder: config, workspace: folder.path, assetsFolder: path.join(folder.path, 'bundled') },
          ...{ secrets, secretPlace: 'the vault', howToAdd: (name: string) => `add ${name}`, dryRun },
          ...{ given: new Set<string>(), now: () => 7 },
        };
        return writeItems(items, { id: tool, strike }, target, { signal });
      },
    });
  } finally {
    await folder.remove();
  }
}
