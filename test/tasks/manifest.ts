import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import type { CommandRecord } from '../../src/host/commands/commandRecord';
import { repoRoot } from '../editor/repoRoot';
import { commandsModule, withCommands } from './commandManifest';

/** `npm run manifest`: writes what package.json and the panel know of commands, from their records. */
const RECORDS = 'src/host/commands/commandRecords.ts';
/** Our own code, which the compiler has checked. */
const recordsSchema = z.object({ COMMAND_RECORDS: z.array(z.custom<CommandRecord>((one) => typeof one === 'object')) });

const records = await loadRecords();
const manifest = path.join(repoRoot, 'package.json');
const written = withCommands(JSON.parse(readFileSync(manifest, 'utf8')), records);
await write(manifest, JSON.stringify(written));
await write(path.join(repoRoot, 'src/protocol/commands.ts'), commandsModule(records));

/** Without the code of the commands, which only the editor can load. */
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

async function write(file: string, text: string): Promise<void> {
  const options = await resolveConfig(file);
  writeFileSync(file, await format(text, { ...options, filepath: file }));
}
