import { useEffect, useState } from 'preact/hooks';
import type { PanelCommand } from '../../src/protocol/commands';
import type { TypedCommand } from '../../src/protocol/hostApi';
import { SLASH_COMMANDS, type SlashCommand } from '../../src/protocol/slashCommands';
import { usePanel } from '../ui/panelContext';
import type { Suggestion } from './CompletionList';

export interface CommandActions {
  run: (command: PanelCommand) => void;
  /** Puts words into the box, to be gone on with. */
  write: (words: string) => void;
  /** Has an MCP server write the message of a prompt. */
  ask: (prompt: string) => void;
}

/** Asked for anew whenever a command is begun, since their files change. */
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

const OWN_GROUPS: Record<SlashCommand['group'], { group: string; icon: string }> = {
  session: { group: 'Session', icon: 'comment-discussion' },
  agent: { group: 'Agent and model', icon: 'person' },
  settings: { group: 'Settings and tools', icon: 'gear' },
};

const GROUPS: Record<TypedCommand['kind'], { group: string; icon: string }> = {
  command: { group: 'Commands', icon: 'comment' },
  skill: { group: 'Skills', icon: 'book' },
  prompt: { group: 'MCP prompts', icon: 'plug' },
};

/** The panel's own commands first, then those of files. */
export function commandSuggestions(
  query: string,
  typed: readonly TypedCommand[],
  { run, write, ask }: CommandActions,
): Suggestion[] {
  const own = SLASH_COMMANDS.map(({ name, description, command, group }) => ({
    ...OWN_GROUPS[group],
    key: name,
    name,
    label: `/${name}`,
    detail: description,
    take: () => run(command),
  }));
  const others = typed.map(({ name, description, hint, kind }) => ({
    ...GROUPS[kind],
    key: `${kind} ${name}`,
    name,
    detail: description,
    label: hint === '' ? `/${name}` : `/${name} ${hint}`,
    take: () => (kind === 'prompt' ? ask(name) : write(`/${name} `)),
  }));
  const groups = [...Object.values(OWN_GROUPS), ...Object.values(GROUPS)].map(({ group }) => {
    const all = [...own, ...others].filter((one) => one.group === group);
    const byName = all.filter(({ name }) => name.toLowerCase().startsWith(query));
    const byWords = all.filter((one) => !byName.includes(one) && one.name.toLowerCase().includes(query));
    return { isMeant: byName.length > 0, rows: [...byName, ...byWords] };
  });
  // What begins as it was typed comes first, so that Enter takes that.
  return [...groups.filter(({ isMeant }) => isMeant), ...groups.filter(({ isMeant }) => !isMeant)].flatMap(
    ({ rows }) => rows,
  );
}
