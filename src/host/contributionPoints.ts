import type { CommandName } from '../protocol/commands';

/** Ids that package.json declares as well; a test holds both together. */
export const EXTENSION_ID = 'cairn-agents.cairn';
export const VIEW_CHAT = 'cairn.chat';
/** The tree of agents, skills and roles. */
export const VIEW_CUSTOMIZATIONS = 'cairn.customizations';
/** The type of a chat in an editor tab. */
export const EDITOR_CHAT = 'cairn.chatEditor';

/** The id of a command. */
export const commandId = (name: CommandName): string => `cairn.${name}`;

/** Settings below `cairn.`. */
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

/** What no setting says, only `config.yaml`: which scripts are tools. */
export const FILE_TOOLS = 'tools';
/** And what the person says to every agent. */
export const FILE_INSTRUCTIONS = 'instructions';

/** True while a run is under way in the chat shown. */
export const CONTEXT_RUNNING = 'cairn.running';
/** True while the chat shown waits for an approval. */
export const CONTEXT_APPROVAL = 'cairn.approvalPending';

/** True while an edit of a selection is being written. */
export const CONTEXT_ARRIVING = 'cairn.editArriving';

/** What stands for the tool where a person has their selection edited, which is no call of an agent. */
export const EDIT_SELECTION = 'edit_selection';

/** The paths of files with changes to review; absent without any. */
export const CONTEXT_TO_REVIEW = 'cairn.filesToReview';

/** Scheme of a file as it was before the changes that are to be reviewed. */
export const BASELINE_SCHEME = 'cairn-baseline';
/** The source control that lists them. */
export const REVIEW_SCM = 'cairn';

/** Scheme of the right side of a proposed edit. */
export const PROPOSAL_SCHEME = 'cairn-proposal';
/** Scheme of the prompt of a role, to be looked at. */
export const ROLE_SCHEME = 'cairn-role';
/** Scheme of the empty left side of a new file. */
export const EMPTY_SCHEME = 'cairn-empty';

/** Scheme of what comes with Cairn, and of effective prompts: documents to be read only. */
export const CONTENT_SCHEME = 'cairn-content';
