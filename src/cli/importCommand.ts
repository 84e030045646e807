import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { safeLine } from '../base/shown/safeText';
import { configFolder } from '../node/configFolder';
import { ITEM_KINDS, type ItemKind } from '../node/import/importItem';
import { countText, reportText } from '../node/import/importReport';
import { type ImportSource, scanSource, sourcesHere, sourcesNamed } from '../node/import/importSources';
import {
  type ImportTarget,
  type KeptSecret,
  type ReportRow,
  type SecretSink,
  writeItems,
} from '../node/import/writeItems';
import { ownEnvironment } from '../node/ownEnvironment';
import { EXIT, UsageError, wrongOptions } from './exitStatus';
import type { OutputStreams } from './output';
import { refuseEmpty } from './parseArguments';

interface ImportRun {
  args: ImportArguments;
  env: NodeJS.ProcessEnv;
  /** Cairn's folder. */
  own: string;
  assetsFolder: string;
  streams: OutputStreams;
  signal: AbortSignal;
}

/** Runs `cairn import` and returns the exit status. Throws UsageError, EngineError, and AbortError on Ctrl+C. */
export async function importCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  assetsFolder: string,
  streams: OutputStreams,
): Promise<number> {
  const args = parseImportArguments(argv);
  if (args.help) {
    streams.out(IMPORT_HELP);
    return EXIT.completed;
  }
  const cancelled = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => cancelled.abort());
  const own = args.configFolder === undefined ? configFolder(env) : resolve(args.configFolder);
  const run = { args, env, own, assetsFolder, streams, signal: cancelled.signal };
  const sources = await sourcesFor(run);
  return args.list ? list(sources, run) : copy(sources, run);
}

async function sourcesFor({ args, env, own, streams, signal }: ImportRun): Promise<ImportSource[]> {
  const places = { home: homedir(), env, platform: process.platform, own };
  if (args.from.length > 0) {
    const named = await Promise.all(args.from.map((one) => sourcesNamed(one, places, signal)));
    return named.flat();
  }
  const { sources, problems } = await sourcesHere(places, signal);
  for (const problem of problems) streams.err(`cairn: ${problem}\n`);
  return sources;
}

async function list(sources: readonly ImportSource[], { streams, args, env }: ImportRun): Promise<number> {
  for (const one of sources) {
    const { found } = await scanSource(one, env);
    const shown = safeLine(one.source.root, 1000, 'exact');
    streams.out(`${one.tool.id}\t${shown}\t${countText(wanted(found.items, args))}\n`);
    for (const problem of found.problems) streams.err(`cairn: ${problem}\n`);
  }
  if (sources.length === 0)
    streams.err('cairn: no other tool was found here. Use --from FOLDER to look somewhere else.\n');
  else if (args.from.length === 0)
    streams.err('cairn: run cairn import --from TOOL to copy it; add --dry-run to see first what that does.\n');
  return EXIT.completed;
}

async function copy(sources: readonly ImportSource[], run: ImportRun): Promise<number> {
  const { args, own, assetsFolder, streams, signal } = run;
  const secrets = args.secrets && !args.dryRun ? await vaultSink(run) : args.secrets ? DRY : undefined;
  const target: ImportTarget = {
    configFolder: own,
    workspace: workFolder(args.folder),
    assetsFolder,
    secrets,
    secretPlace: 'the vault',
    howToAdd: (name) => `cairn vault add ${name}`,
    dryRun: args.dryRun,
    given: new Set(),
    now: () => Date.now(),
  };
  let status: number = EXIT.completed;
  for (const { tool, source, isHome } of sources) {
    const { found, strike } = await scanSource({ tool, source, isHome }, run.env);
    const rows = await writeItems(wanted(found.items, args), { id: tool.id, strike }, target, { signal });
    streams.out(reportText({ tool: tool.name, folder: source.root, rows, problems: found.problems }, args.dryRun));
    if (found.problems.length > 0 || rows.some(isFailure)) status = EXIT.failed;
  }
  return status;
}

function isFailure({ outcome }: ReportRow): boolean {
  return outcome === 'failed';
}

function wanted<T extends { kind: string }>(items: readonly T[], { only }: ImportArguments): T[] {
  return items.filter(({ kind }) => only.length === 0 || only.some((one) => one === kind));
}

/** Never called. */
const DRY: SecretSink = { keep: () => Promise.resolve([]) };

async function vaultSink({ own, env }: ImportRun): Promise<SecretSink> {
  const [{ keyOf }, { changeVault }, { vaultFileIn }] = await Promise.all([
    import('./vault/vaultCommand'),
    import('../node/vault/vaultFile'),
    import('../node/configFolder'),
  ]);
  const file = vaultFileIn(own);
  const key = await keyOf(file, ownEnvironment(env, own));
  return {
    async keep(found) {
      const outcomes: KeptSecret[] = [];
      await changeVault(file, key, (secrets) => {
        for (const [name, value] of found) {
          const known = secrets.get(name);
          if (known === undefined) secrets.set(name, value);
          outcomes.push(known === undefined ? 'kept' : known === value ? 'same' : 'other');
        }
      });
      return outcomes;
    },
  };
}

function workFolder(named: string | undefined): string {
  const folder = resolve(named ?? '.');
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`there is no folder ${folder}.`);
}

export const IMPORT_HELP = `Usage:
  cairn import                     List what can be imported from other tools, and from where
  cairn import --from TOOL         Import everything from coyote, aichat, claude, opencode, gemini, or goose
  cairn import --from FOLDER       Import from a folder, such as a copy from another machine; TOOL:FOLDER names its tool

Options:
  --list               List what can be imported, also with --from
  --dry-run            Print the report without copying anything
  --only KIND          ${ITEM_KINDS.join(', ')}; separate several with commas
  --secrets            Store secrets in the vault; without it they are skipped and listed
  -C, --cwd DIR        Folder for sessions that name none (default: the current one)
  --config-dir DIR     Cairn's configuration folder, which receives the copies (default: ~/.config/cairn)

Files of other tools are only read, and nothing of yours is replaced: an item whose name is taken gets another name, and
what refers to it is changed with it. Items that were imported before are skipped. Sessions become archives in the history of
their folder.
`;

interface ImportArguments {
  help: boolean;
  /** Also set when `from` is not given. */
  list: boolean;
  from: readonly string[];
  dryRun: boolean;
  /** Empty means everything. */
  only: readonly ItemKind[];
  secrets: boolean;
  folder: string | undefined;
  configFolder: string | undefined;
}

const OPTIONS = {
  list: { type: 'boolean' },
  from: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  only: { type: 'string', multiple: true },
  secrets: { type: 'boolean' },
  cwd: { type: 'string', short: 'C' },
  'config-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments. Throws UsageError. */
function parseImportArguments(argv: readonly string[]): ImportArguments {
  const { values, positionals } = parse(argv);
  refuseEmpty(values, 'cairn import --help');
  const [word] = positionals;
  if (word !== undefined) {
    const hint = 'Put a prompt that begins with "import" in quotes.';
    throw new UsageError(`cairn import takes options only, not "${word}". Write --from ${word}. ${hint}`);
  }
  const from = values.from ?? [];
  const isList = values.list === true || from.length === 0;
  const idle = (['dry-run', 'secrets'] as const).find((name) => isList && values[name] === true && !values.help);
  if (idle !== undefined) throw new UsageError(`--${idle} is for an import, with --from and without --list.`);
  return {
    help: values.help ?? false,
    list: isList,
    from,
    dryRun: values['dry-run'] ?? false,
    only: (values.only ?? []).flatMap((text) => text.split(',')).map(kindOf),
    secrets: values.secrets ?? false,
    folder: values.cwd,
    configFolder: values['config-dir'],
  };
}

function kindOf(text: string): ItemKind {
  const written = text.trim();
  const kind = ITEM_KINDS.find((one) => one === written || `${one}s` === written);
  if (kind) return kind;
  throw new UsageError(`--only takes ${ITEM_KINDS.join(', ')}, not "${written}".`);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrongOptions(error, 'cairn import');
  }
}
