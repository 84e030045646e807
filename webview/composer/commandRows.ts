import { useEffect, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { PanelCommand } from '../../src/protocol/commands';
import type { TypedCommand } from '../../src/protocol/hostApi';
import { slashCommands, type SlashCommand } from '../../src/protocol/slashCommands';
import { usePanel } from '../ui/panelContext';
import type { Suggestion } from './CompletionList';

export interface CommandActions {
  run: (command: PanelCommand) => void;
  /** Inserts words into the box for the user to continue. */
  write: (words: string) => void;
  /** Has an MCP server write the message of a prompt. */
  ask: (prompt: string) => void;
}

/** Fetches the commands each time the user starts one, since their files may change. */
export function useTypedCommands(isWanted: boolean): readonly TypedCommand[] {
  const { attach } = usePanel();
  const [commands, setCommands] = useState<readonly TypedCommand[]>([]);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLatest = true;
    void attach.commands().then((found) => isLatest && setCommands(found));
    return () => {
      isLatest = false;
    };
  }, [isWanted, attach]);
  return commands;
}

const OWN_GROUPS: Record<SlashCommand['group'], { group: () => string; icon: string }> = {
  session: { group: () => t('Session'), icon: 'comment-discussion' },
  agent: { group: () => t('Agent and model'), icon: 'person' },
  settings: { group: () => t('Settings and tools'), icon: 'gear' },
};

const GROUPS: Record<TypedCommand['kind'], { group: () => string; icon: string }> = {
  command: { group: () => t('Commands'), icon: 'comment' },
  skill: { group: () => t('Skills'), icon: 'book' },
  prompt: { group: () => t('MCP prompts'), icon: 'plug' },
};

/** Returns the panel's own commands first, then those from files. */
export function commandSuggestions(
  query: string,
  typed: readonly TypedCommand[],
  { run, write, ask }: CommandActions,
): Suggestion[] {
  const own = slashCommands().map(({ name, description, command, group }) => ({
    icon: OWN_GROUPS[group].icon,
    group: OWN_GROUPS[group].group(),
    key: name,
    name,
    label: `/${name}`,
    detail: description,
    take: () => run(command),
  }));
  const others = typed.map(({ name, description, hint, kind }) => ({
    icon: GROUPS[kind].icon,
    group: GROUPS[kind].group(),
    key: `${kind} ${name}`,
    name,
    detail: description,
    label: hint === '' ? `/${name}` : `/${name} ${hint}`,
    take: () => (kind === 'prompt' ? ask(name) : write(`/${name} `)),
  }));
  const groups = [...Object.values(OWN_GROUPS), ...Object.values(GROUPS)].map(({ group }) => {
    const name = group();
    const all = [...own, ...others].filter((one) => one.group === name);
    const byName = all.filter(({ name }) => name.toLowerCase().startsWith(query));
    const byWords = all.filter((one) => !byName.includes(one) && one.name.toLowerCase().includes(query));
    return { isMeant: byName.length > 0, rows: [...byName, ...byWords] };
  });
  // Matches by prefix come first, so that Enter takes them.
  return [...groups.filter(({ isMeant }) => isMeant), ...groups.filter(({ isMeant }) => !isMeant)].flatMap(
    ({ rows }) => rows,
  );
}
