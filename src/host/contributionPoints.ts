import type { CommandName } from '../protocol/commands';

/** Ids that are also declared in package.json. A test checks that they match. */
export const EXTENSION_ID = 'cairn-agents.cairn';
export const VIEW_CHAT = 'cairn.chat';
/** The tree of agents, skills, and roles. */
export const VIEW_CUSTOMIZATIONS = 'cairn.customizations';
/** The view type of a chat in an editor tab. */
export const EDITOR_CHAT = 'cairn.chatEditor';

export const commandId = (name: CommandName): string => `cairn.${name}`;

/** Names of settings, without the `cairn.` prefix. */
export const SETTINGS = {
  model: 'model',
  approvalMode: 'approvalMode',
  openDiff: 'edits.openDiff',
  openaiBaseUrl: 'openai.baseUrl',
  openaiApi: 'openai.api',
  anthropicBaseUrl: 'anthropic.baseUrl',
  ollamaBaseUrl: 'ollama.baseUrl',
  customBaseUrl: 'custom.baseUrl',
  providerBaseUrls: 'providers.baseUrls',
  models: 'models',
  skillsEnabled: 'skills.enabled',
  skillsVisible: 'skills.visible',
  skillsByDefault: 'skills.byDefault',
  autoContinue: 'autoContinue',
  autoContinueLimit: 'autoContinueLimit',
  limits: 'limits',
  reasoningEffort: 'reasoningEffort',
  idleTimeout: 'idleTimeout',
  editorTools: 'editorTools',
} as const;

/** Only in `config.yaml`, not an editor setting: the scripts that are tools. */
export const FILE_TOOLS = 'tools';
/** Only in `config.yaml`: the user's instructions to every agent. */
export const FILE_INSTRUCTIONS = 'instructions';
/** Only in `config.yaml`: the MCP servers of agents that name none, and other names for servers. */
export const FILE_SERVERS = 'servers';
/** Only in `config.yaml`: the sampling parameters of agents and roles that set none. */
export const FILE_SAMPLING = ['temperature', 'topP'] as const;

/** True while a run is active in the current chat. */
export const CONTEXT_RUNNING = 'cairn.running';
/** True while the current chat waits for an approval. */
export const CONTEXT_APPROVAL = 'cairn.approvalPending';

/** True while an edit of a selection is being written. */
export const CONTEXT_ARRIVING = 'cairn.editArriving';

/** Stands in for the tool name when the user has a selection edited, which is not a call by an agent. */
export const EDIT_SELECTION = 'edit_selection';

/** The paths of files with changes to review; unset if there are none. */
export const CONTEXT_TO_REVIEW = 'cairn.filesToReview';

/** URI scheme of a file's version before the changes to review. */
export const BASELINE_SCHEME = 'cairn-baseline';
/** Id of the source control that lists the files to review. */
export const REVIEW_SCM = 'cairn';

/** URI scheme of the right side of a proposed edit. */
export const PROPOSAL_SCHEME = 'cairn-proposal';
/** URI scheme for viewing a role's prompt. */
export const ROLE_SCHEME = 'cairn-role';
/** URI scheme of the empty left side of a new file. */
export const EMPTY_SCHEME = 'cairn-empty';

/** URI scheme of read-only documents: content that ships with Cairn, and effective prompts. */
export const CONTENT_SCHEME = 'cairn-content';
