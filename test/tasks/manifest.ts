import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import type { CommandRecord } from '../../src/host/commands/commandRecord';
import { repoRoot } from '../editor/repoRoot';
import { commandsModule, slashModule, withCommands } from './commandManifest';
import { contentPlugin } from './contentPlugin';
import type * as editorToolManifest from './editorToolManifest';
import { l10nBundle } from './l10nBundle';

/**
 * `npm run manifest`: generates what package.json and the panel know about commands and editor tools from their records, and the
 * translation template from the code.
 */
const RECORDS = 'src/host/commands/commandRecords.ts';
/** Cairn's own code, already checked by the compiler. */
const recordsSchema = z.object({ COMMAND_RECORDS: z.array(z.custom<CommandRecord>((one) => typeof one === 'object')) });

const toolsSchema = z.custom<typeof editorToolManifest>((one) => typeof one === 'object');

const records = await loadRecords();
const manifest = path.join(repoRoot, 'package.json');
const { withEditorTools } = await loadTools();
const written = withEditorTools(withCommands(JSON.parse(readFileSync(manifest, 'utf8')), records));
await write(manifest, JSON.stringify(written));
await write(path.join(repoRoot, 'src/protocol/commands.ts'), commandsModule(records));
await write(path.join(repoRoot, 'src/protocol/slashRecords.ts'), slashModule(records));
const bundle = path.join(repoRoot, 'assets/l10n/bundle.l10n.json');
mkdirSync(path.dirname(bundle), { recursive: true });
await write(bundle, JSON.stringify(l10nBundle()));

/** Without the commands' code, which only the editor can load. */
async function loadRecords(): Promise<readonly CommandRecord[]> {
  const outfile = path.join(repoRoot, '.build', 'tasks', 'commandRecords.mjs');
  await build({
    entryPoints: [path.join(repoRoot, RECORDS)],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
    plugins: [
      {
        name: 'without-code',
        setup: (building) =>
          building.onResolve({ filter: /./ }, ({ kind }) =>
            kind === 'dynamic-import' ? { external: true } : undefined,
          ),
      },
    ],
  });
  const loaded: unknown = await import(pathToFileURL(outfile).href);
  return recordsSchema.parse(loaded).COMMAND_RECORDS;
}

/** With the tools' prompts, which this program is bundled without. */
async function loadTools(): Promise<typeof editorToolManifest> {
  const outfile = path.join(repoRoot, '.build', 'tasks', 'editorTools.mjs');
  await build({
    entryPoints: [path.join(repoRoot, 'test/tasks/editorToolManifest.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
    plugins: [await contentPlugin()],
  });
  const loaded: unknown = await import(pathToFileURL(outfile).href);
  return toolsSchema.parse(loaded);
}

async function write(file: string, text: string): Promise<void> {
  const options = await resolveConfig(file);
  writeFileSync(file, await format(text, { ...options, filepath: file }));
}
