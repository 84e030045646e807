import type { ProgramFile } from '../mcp/serverPlaces';
import type { PathStyle } from '../ports';
import type { ServerNames } from '../tools/toolSource';
import type { ContentScope, ContentWorld } from './contentProblem';

/** The kinds of content that are files in folders of their own. */
export const CONTENT_KINDS = ['agents', 'skills', 'roles'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];
/** The kinds of content that are looked up in folders. */
export const FOUND_KINDS = [...CONTENT_KINDS, 'commands'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** Marks of a plugin, or of a list of plugins, in Claude Code, Copilot, Cursor, Codex, and Gemini CLI. The first match wins. */
export const PLUGIN_MARKS = [
  '.claude-plugin',
  '.github/plugin',
  '.cursor-plugin',
  '.codex-plugin',
  'gemini-extension.json',
] as const;

/** A folder in which content of one kind is looked up; it may not exist. */
export interface ContentRoot {
  /** Absolute path. For OpenCode's settings, that of the file. */
  folder: string;
  scope: ContentScope;
  world: ContentWorld;
  /** The workspace of a workspace root: links that lead out of it are not followed. */
  within?: string;
  /** The folder of the plugin that it belongs to. */
  plugin?: string;
  /** Unknown keys are not errors here, since the files may be for other tools. */
  openKeys?: true;
  /** Absolute paths of the only files to use; absent: all files. */
  only?: readonly string[];
}

/** A content file, identified by its place. */
export interface ContentPlace {
  kind: ContentKind;
  root: ContentRoot;
  /** Absolute path. */
  path: string;
}

/** The folders that content comes from; absent folders provide none. */
export interface ContentPlaces {
  /** Built-in content. */
  assetsFolder?: string;
  /** The user's configuration folder, `~/.config/cairn`. */
  configFolder?: string;
  /** The user's home, for the files of other tools. */
  homeFolder?: string | undefined;
  /** The workspace folders, if they are trusted. */
  workspaceFolders: readonly string[];
  /** The user's MCP server files of other programs. */
  programFiles?: (() => Promise<readonly ProgramFile[]>) | undefined;
  /** Aliases of MCP servers. */
  serverNames?: () => ServerNames;
  /** Skills that the user's settings make visible; undefined if all are. */
  visibleSkills?: () => readonly string[] | undefined;
}

type Place = readonly [world: ContentWorld, folder: string];

const IN_CONFIG: Record<FoundKind, readonly Place[]> = {
  agents: [
    ['cairn', 'agent'],
    ['cairn', 'agents'],
  ],
  skills: [['cairn', 'skills']],
  roles: [['cairn', 'roles']],
  commands: [['cairn', 'commands']],
};

/** OpenCode's settings, in which agents and commands may be; what is in its folders counts more. */
const HOME_CONFIGS: readonly Place[] = [
  ['opencode', '.config/opencode/config.json'],
  ['opencode', '.config/opencode/opencode.json'],
  ['opencode', '.config/opencode/opencode.jsonc'],
];
const WORKSPACE_CONFIGS: readonly Place[] = [
  ['opencode', 'opencode.json'],
  ['opencode', 'opencode.jsonc'],
  ['opencode', '.opencode/opencode.json'],
  ['opencode', '.opencode/opencode.jsonc'],
];

/** The folders of other tools in the user's home. */
export const IN_HOME: Record<FoundKind, readonly Place[]> = {
  agents: [
    ['codex', '.codex/agents'],
    ['gemini', '.gemini/agents'],
    ['cursor', '.cursor/agents'],
    ['copilot', '.copilot/agents'],
    ['claude', '.claude/agents'],
    ...HOME_CONFIGS,
    ['opencode', '.config/opencode/mode'],
    ['opencode', '.config/opencode/modes'],
    ['opencode', '.config/opencode/agent'],
    ['opencode', '.config/opencode/agents'],
  ],
  skills: [
    ['shared', '.config/goose/skills'],
    ['codex', '.codex/skills'],
    ['gemini', '.gemini/skills'],
    ['cursor', '.cursor/skills'],
    ['copilot', '.copilot/skills'],
    ['claude', '.claude/skills'],
    ['opencode', '.config/opencode/skill'],
    ['opencode', '.config/opencode/skills'],
    ['shared', '.config/agents/skills'],
    ['shared', '.agents/skills'],
  ],
  roles: [],
  commands: [
    ['codex', '.codex/prompts'],
    ['gemini', '.gemini/commands'],
    ['cursor', '.cursor/commands'],
    ['copilot', '.copilot/prompts'],
    ['claude', '.claude/commands'],
    ...HOME_CONFIGS,
    ['opencode', '.config/opencode/command'],
    ['opencode', '.config/opencode/commands'],
  ],
};

export const IN_WORKSPACE: Record<FoundKind, readonly Place[]> = {
  agents: [
    ['shared', '.kilocodemodes'],
    ['shared', '.roomodes'],
    ['codex', '.codex/agents'],
    ['gemini', '.gemini/agents'],
    ['cursor', '.cursor/agents'],
    ['copilot', '.github/chatmodes'],
    ['copilot', '.github/agents'],
    ['claude', '.claude/agents'],
    ...WORKSPACE_CONFIGS,
    ['opencode', '.opencode/mode'],
    ['opencode', '.opencode/modes'],
    ['opencode', '.opencode/agent'],
    ['opencode', '.opencode/agents'],
    ['cairn', '.cairn/agent'],
    ['cairn', '.cairn/agents'],
  ],
  skills: [
    ['shared', '.goose/skills'],
    ['codex', '.codex/skills'],
    ['gemini', '.gemini/skills'],
    ['cursor', '.cursor/skills'],
    ['copilot', '.github/skills'],
    ['claude', '.claude/skills'],
    ['opencode', '.opencode/skill'],
    ['opencode', '.opencode/skills'],
    ['shared', '.agents/skills'],
    ['cairn', '.cairn/skills'],
  ],
  roles: [['cairn', '.cairn/roles']],
  commands: [
    ['codex', '.codex/prompts'],
    ['gemini', '.gemini/commands'],
    ['cursor', '.cursor/commands'],
    ['shared', '.clinerules/workflows'],
    ['shared', '.kilocode/workflows'],
    ['shared', '.roo/commands'],
    ['shared', '.windsurf/workflows'],
    ['copilot', '.github/prompts'],
    ['claude', '.claude/commands'],
    ...WORKSPACE_CONFIGS,
    ['opencode', '.opencode/command'],
    ['opencode', '.opencode/commands'],
    ['cairn', '.cairn/commands'],
  ],
};

/**
 * The instruction files of a workspace in the order in which the model gets them. The last has the most weight: the file closest
 * to Cairn's own convention, and after it what a user keeps for themselves. `.clinerules` may also be a folder of rules.
 */
export const INSTRUCTION_FILES = [
  ...['.goosehints', '.rules', '.clinerules', '.windsurfrules', '.cursorrules', '.github/copilot-instructions.md'],
  ...['GEMINI.md', 'CLAUDE.md', 'AGENT.md', 'AGENTS.md', 'CLAUDE.local.md'],
];

/** Settings of other tools that may name further instruction files; `.opencode` is a folder that may have such settings. */
export const INSTRUCTION_CONFIGS = ['.aider.conf.yml', 'opencode.json', 'opencode.jsonc', '.opencode'];

/** Folders of rules that declare which files they apply to. */
export const RULE_FOLDERS = [
  '.clinerules',
  '.kilocode/rules',
  '.roo/rules',
  '.windsurf/rules',
  '.github/instructions',
  '.claude/rules',
  '.cursor/rules',
];

/** Those that may also be in a subfolder, where they apply to its files. */
export const NESTED_RULE_FOLDERS = ['.windsurf/rules', '.claude/rules', '.cursor/rules'];

/** Returns the roots of a kind in order of precedence: by name, later ones win. */
export function contentRoots(kind: FoundKind, places: ContentPlaces, paths: PathStyle): ContentRoot[] {
  const { assetsFolder, configFolder, homeFolder, workspaceFolders } = places;
  const below = (base: string | undefined, scope: ContentScope, list: readonly Place[]): ContentRoot[] => {
    if (base === undefined) return [];
    const within = scope === 'workspace' ? { within: base } : {};
    return list.map(([world, folder]) => ({ folder: paths.resolve(base, folder), scope, world, ...within }));
  };
  return [
    ...below(assetsFolder, 'builtin', [['cairn', kind]]),
    ...below(homeFolder, 'user', IN_HOME[kind]),
    ...below(configFolder, 'user', IN_CONFIG[kind]),
    // The first workspace folder has the highest precedence, so it comes last.
    ...[...workspaceFolders].reverse().flatMap((folder) => below(folder, 'workspace', IN_WORKSPACE[kind])),
  ];
}

/** Returns true if the path is the folder itself or is inside it. */
export function isBelow(path: string, folder: string, paths: PathStyle): boolean {
  return !/^\.\.(?:\/|$)/.test(paths.relative(folder, path));
}
