import * as z from 'zod';
import type { CommandRecord } from '../../src/host/commands/commandRecord';

/** Keeps its keys in their order, as a schema with names would not. */
const objectSchema = z.record(z.string(), z.unknown());
const menusSchema = z.record(z.string(), z.array(z.looseObject({ command: z.string().optional() })));

const idOf = ({ name }: CommandRecord) => `cairn.${name}`;

/** package.json with the commands of these records: their titles, menus and keys. Entries of menus that are no commands stay. */
export function withCommands(manifest: unknown, records: readonly CommandRecord[]): unknown {
  const whole = objectSchema.parse(manifest);
  const contributes = objectSchema.parse(whole['contributes']);
  const menus = new Map<string, object[]>();
  const into = (menu: string, entry: object) => menus.set(menu, [...(menus.get(menu) ?? []), entry]);
  for (const [menu, entries] of Object.entries(menusSchema.parse(contributes['menus']))) {
    for (const entry of entries) if (entry.command === undefined) into(menu, entry);
  }
  for (const record of records) {
    const command = idOf(record);
    if (record.inPalette !== undefined)
      into('commandPalette', { command, when: record.inPalette === false ? 'false' : record.inPalette.when });
    for (const { menu, when, group } of record.menus ?? []) into(menu, { command, when, group });
  }
  const commands = records.map((one) => ({
    command: idOf(one),
    title: `%command.${one.name}%`,
    category: 'Cairn',
    icon: typeof one.icon === 'string' ? `$(${one.icon})` : one.icon,
    enablement: one.enablement,
  }));
  const keybindings = records.flatMap((one) =>
    (one.keys ?? []).map(({ key, args, when }) => ({
      command: idOf(one),
      key,
      mac: key.replaceAll('ctrl+', 'cmd+'),
      args,
      when,
    })),
  );
  return { ...whole, contributes: { ...contributes, commands, menus: Object.fromEntries(menus), keybindings } };
}

const WRITTEN = '// Written by `npm run manifest` from src/host/commands/commandRecords.ts.';

/** The text of `src/protocol/commands.ts`: what the two sides of the wire know of these commands. */
export function commandsModule(records: readonly CommandRecord[]): string {
  const names = records.map(({ name }) => name);
  const panel = records.filter(({ inPanel, slash }) => inPanel || slash).map(({ name }) => name);
  return `${WRITTEN}

/** Every command, without the \`cairn.\` of its id. */
export const COMMAND_NAMES = ${JSON.stringify(names)} as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** Those that a button in the panel may run. */
export const PANEL_COMMANDS = ${JSON.stringify(panel)} as const;
export type PanelCommand = (typeof PANEL_COMMANDS)[number];
`;
}

/** The text of `src/protocol/slashRecords.ts`, which the extension loads once its commands are listed. */
export function slashModule(records: readonly CommandRecord[]): string {
  const slashes = records.flatMap(({ name: command, slash }) => (slash ? [{ ...slash, command }] : []));
  const slashText = slashes.map(({ description, ...rest }) => {
    const fields = JSON.stringify(rest).slice(1, -1);
    return `{${fields}, description: () => t(${JSON.stringify(description)})}`;
  });
  return `${WRITTEN}
import { t } from '../base/l10n';

/** What is typed after \`/\` for commands. */
export const SLASH_RECORDS = [${slashText.join(', ')}] as const;
`;
}
