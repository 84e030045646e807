import { parseArgs } from 'node:util';
import { errorText } from '../../base/errorText';
import { ITEM_KINDS, type ItemKind } from '../../node/import/importItem';
import { UsageError } from '../exitStatus';

export const IMPORT_HELP = `cairn import                     prints what there is to import from other tools, and where
cairn import --from TOOL         copies all of it: coyote, aichat, claude, opencode, gemini or goose
cairn import --from FOLDER       the same from a folder, such as a copy of another machine; TOOL:FOLDER says of which tool

Options:
  --list               prints what there is, also of --from
  --dry-run            prints the report, and copies nothing
  --only KIND          ${ITEM_KINDS.join(', ')}; several with commas
  --secrets            keeps the secrets found in the vault; without it they are left out, and named
  -C, --cwd DIR        the folder for sessions that name none of their own; the current one without it
  --config-dir DIR     Cairn's own folder, into which is copied; ~/.config/cairn without it

What other tools keep is only read. Nothing of yours is replaced: what has a name that is taken gets another one. What was
imported before is not imported again. Sessions become archives, which you find in the history of their folder.
`;

export interface ImportArguments {
  help: boolean;
  /** Without `from` too. */
  list: boolean;
  from: readonly string[];
  dryRun: boolean;
  /** Empty for everything. */
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

/** Throws UsageError. */
export function parseImportArguments(argv: readonly string[]): ImportArguments {
  const { values, positionals } = parse(argv);
  const [word] = positionals;
  if (word !== undefined) {
    const hint = 'A prompt that begins with "import" goes in quotes.';
    throw new UsageError(`cairn import takes options only; "${word}" is none. Write --from ${word}. ${hint}`);
  }
  const from = values.from ?? [];
  return {
    help: values.help ?? false,
    list: values.list === true || from.length === 0,
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
  throw new UsageError(`--only takes ${ITEM_KINDS.join(', ')}; "${written}" is none of them.`);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const text = errorText(error).replaceAll('\n', ' ').replace(/\.+$/, '');
    throw new UsageError(`${text}. See cairn import --help.`);
  }
}
