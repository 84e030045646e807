import { parseArgs } from 'node:util';
import { errorText } from '../../base/errorText';
import { ITEM_KINDS, type ItemKind } from '../../node/import/importItem';
import { UsageError } from '../exitStatus';
import { refuseEmpty } from '../optionChecks';

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

Files of other tools are only read, and nothing of yours is replaced: an item whose name is taken gets another name. Items
that were imported before are skipped. Sessions become archives in the history of their folder.
`;

export interface ImportArguments {
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
export function parseImportArguments(argv: readonly string[]): ImportArguments {
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
    const text = errorText(error).replaceAll('\n', ' ').replace(/\.+$/, '');
    throw new UsageError(`${text}. See cairn import --help.`);
  }
}
