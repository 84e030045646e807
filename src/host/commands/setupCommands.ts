import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import {
  type AgentDefinition,
  type ContentProblem,
  type ContentSource,
  DEFAULT_AGENT,
  type Named,
  type Role,
  type Skill,
  takenName,
  WORLD_NAMES,
} from '../../engine';
import type { Command, Host } from '../host';
import { showRole } from '../rolePreview';
import { notify } from '../shown/notify';
import { PickList, type PickRow, pickRow, pickRows } from '../shown/pickList';

interface ProblemItem extends PickRow {
  problem: ContentProblem;
}

interface SourceItem<T> extends PickRow {
  content?: T;
}

export function chooseAgent({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup;
      const offered = (await engine.agents.list()).filter(isForPeople);
      const items = bySource(offered, await engine.agents.all(), ({ name }) => {
        if (name === current.agent) return { description: t('current') };
        return name === DEFAULT_AGENT ? { description: t('default') } : {};
      });
      const broken = brokenFiles(await engine.agents.problems());
      const rows = currentFirst(items, ({ content }) => content?.name === current.agent);
      const picked = await pickRow([...rows, ...broken], {
        title: t('Choose an Agent'),
        placeHolder: t('Search agents; your next message goes to the one you choose'),
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (picked && 'problem' in picked) return openProblem(picked.problem);
      panels.backToPanel();
      if (picked?.content) await setup.chooseAgent(chat, picked.content.name);
    },
  };
}

/** Excludes hidden agents, and built-in ones that do no work of their own: subagents, and the example to read and copy. */
function isForPeople({ name, hidden, mode, source }: AgentDefinition): boolean {
  return !hidden && (source.scope !== 'builtin' || (mode !== 'subagent' && name !== 'demo'));
}

/** Built-in roles that Cairn uses internally, for titles and commands. They make no sense as the role of a session. */
const INTERNAL = ['create-prompt', 'create-title', 'explain-shell', 'functions', 'shell'];

function isInternal({ name, source }: Role): boolean {
  return source.scope === 'builtin' && INTERNAL.includes(name);
}

const PROMPT_LENGTH = 120;
const PREVIEW = {
  iconPath: new vscode.ThemeIcon('open-preview'),
  get tooltip() {
    return t('Show Prompt');
  },
};

export function chooseRole({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup.role;
      const offered = (await engine.roles.list()).filter((role) => !isInternal(role) || role.name === current);
      const rows = bySource(offered, await engine.roles.all(), (role) => ({
        ...(role.name === current && { description: t('current') }),
        detail: role.description === '' ? beginning(role.prompt) : role.description,
        buttons: [PREVIEW],
      }));
      const none: SourceItem<Role> = {
        label: t('No role'),
        detail: t('The agent keeps its own behavior'),
        ...(current === null && { description: t('current') }),
      };
      const broken = brokenFiles(await engine.roles.problems());
      const picked = await pick([
        ...currentFirst([none, ...rows], ({ content }) => (content?.name ?? null) === current),
        ...broken,
      ]);
      if (picked && 'problem' in picked) return openProblem(picked.problem);
      panels.backToPanel();
      if (picked) await setup.chooseRole(chat, picked.content?.name ?? null);
    },
  };
}

type Row = SourceItem<Role> | ProblemItem;

/** A list that stays open while a prompt is shown next to it. */
function pick(items: readonly Row[]): Promise<Row | undefined> {
  const list = new PickList<Row>({
    title: t('Choose a Role'),
    placeholder: t('Search roles'),
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  list.rows = items;
  list.onButton((row) => {
    if ('content' in row) void showRole(row.content.name);
  });
  return list.chosen();
}

function beginning(prompt: string): string {
  const words = prompt.replace(/\s+/g, ' ').trim();
  return words.length > PROMPT_LENGTH ? `${words.slice(0, PROMPT_LENGTH)}…` : words;
}

/** A row that applies to all skills. */
interface Rule extends PickRow {
  rule?: 'no-others' | 'none';
}

const RULES: Rule = {
  get label() {
    return t('In this session');
  },
  kind: vscode.QuickPickItemKind.Separator,
};

const NO_OTHERS: Rule = {
  icon: 'lock',
  get label() {
    return t('Only the selected skills');
  },
  rule: 'no-others',
  get detail() {
    return t('The agent can load the selected skills and no others');
  },
};

const NONE: Rule = {
  icon: 'circle-slash',
  get label() {
    return t('No skills');
  },
  rule: 'none',
  get detail() {
    return t('No skill is loaded, whatever is selected');
  },
};

export function chooseSkills({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const { skills: loaded, skillPolicy: policy } = chat.session.metadata;
      const { names } = await engine.skillsFor(chat.session.id, {});
      const all = await engine.skills.list();
      const offered = all.filter(({ name }) => names.includes(name) || loaded.includes(name));
      if (offered.length === 0) {
        sayWhy(all.length > 0, chat.state.setup.agent);
        return;
      }
      const rows = bySource(offered, await engine.skills.all(), (skill) => ({
        ...noteOf(skill, names.includes(skill.name)),
        picked: loaded.includes(skill.name),
      }));
      const noOthers: Rule = { ...NO_OTHERS, picked: policy.names !== undefined };
      const none: Rule = { ...NONE, picked: policy.on === false };
      const items: (SourceItem<Skill> & Rule)[] = [...rows, RULES, noOthers, none];
      const picked = await pickRows(items, {
        title: t('Skills for This Session'),
        placeHolder: t('Selected skills are loaded with the next request'),
        matchOnDescription: true,
        matchOnDetail: true,
      });
      panels.backToPanel();
      if (!picked) return;
      const isNone = picked.some(({ rule }) => rule === 'none');
      const chosen = isNone ? [] : picked.flatMap(({ content }) => content?.name ?? []);
      await setup.setSkills(chat, chosen, {
        ...(isNone && { on: false }),
        ...(picked.some(({ rule }) => rule === 'no-others') && { names: chosen }),
      });
    },
  };
}

function noteOf({ servers }: Skill, isEnabled: boolean): { description?: string } {
  if (!isEnabled) return { description: t('loaded, but not enabled here') };
  return servers.length > 0 ? { description: t('needs the MCP servers {0}', servers.join(', ')) } : {};
}

function sayWhy(exist: boolean, agent: string): void {
  const text = exist
    ? t('No skills are enabled here: the agent {0}, the role, or your settings turn them off.', agent)
    : t('No skills yet. Create one at .cairn/skills/NAME/SKILL.md.');
  void notify('info', text);
}

const GROUPS = [
  {
    scope: 'workspace',
    get label() {
      return t('This workspace');
    },
  },
  {
    scope: 'user',
    get label() {
      return t('Yours');
    },
  },
  {
    scope: 'builtin',
    get label() {
      return t('Built-in');
    },
  },
] as const;

const TAKEN = {
  get builtin() {
    return t('replaces the built-in one');
  },
  get user() {
    return t('replaces yours');
  },
} as const;

/** Rows under headings that name their source. `all` also includes the ones that others replace. */
function bySource<T extends { name: string; description: string; source: ContentSource }>(
  listed: readonly T[],
  all: readonly Named[],
  more: (content: T) => Partial<vscode.QuickPickItem>,
): SourceItem<T>[] {
  return GROUPS.flatMap(({ scope, label }) => {
    const own = listed.filter(({ source }) => source.scope === scope);
    const rows = own.map((content) => itemOf(content, takenName(content, all), more(content)));
    return rows.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows] : [];
  });
}

function itemOf<T extends { name: string; description: string; source: ContentSource }>(
  content: T,
  taken: ReturnType<typeof takenName>,
  { description: note, ...more }: Partial<vscode.QuickPickItem>,
): SourceItem<T> {
  const notes = [note, WORLD_NAMES[content.source.world], taken && TAKEN[taken]].filter(Boolean);
  return {
    label: content.name,
    ...(notes.length > 0 && { description: notes.join(' · ') }),
    ...(content.description !== '' && { detail: content.description }),
    ...more,
    content,
  };
}

/** Moves the current row to the top and drops headings left empty. */
function currentFirst<T extends PickRow>(rows: readonly T[], isCurrent: (row: T) => boolean): T[] {
  const isHeading = ({ kind }: T) => kind === vscode.QuickPickItemKind.Separator;
  const current = rows.find((row) => !isHeading(row) && isCurrent(row));
  if (!current) return [...rows];
  const others = rows.filter((row) => row !== current);
  const left = others.filter((row, at) => {
    const next = others[at + 1];
    return !isHeading(row) || (next !== undefined && !isHeading(next));
  });
  return [current, ...left];
}

/** Rows for files that belong in the list but cannot be used, so that users do not look for them in vain. */
function brokenFiles(problems: readonly ContentProblem[]): ProblemItem[] {
  const first = new Map(problems.filter(({ severity }) => severity === 'error').map((one) => [one.path, one]));
  return [...first.values()].map((problem) => ({
    icon: 'warning',
    label: t('{0} cannot be used', nameInList(problem.path)),
    detail: t('Line {0}: {1}', problem.line, problem.message),
    problem,
  }));
}

/** Files that have the same name for every agent or skill are told apart by their folder. */
function nameInList(path: string): string {
  const name = basename(path);
  return ['graph.yaml', 'config.yaml', 'SKILL.md'].includes(name) ? `${basename(dirname(path))}/${name}` : name;
}

/** Opens the file at the problem. */
async function openProblem({ path, line, column }: ContentProblem): Promise<void> {
  const place = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(place, place) });
}
