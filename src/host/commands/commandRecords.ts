import {
  BASELINE_SCHEME,
  CONTEXT_APPROVAL,
  CONTEXT_RUNNING,
  CONTEXT_TO_REVIEW,
  PROPOSAL_SCHEME,
  REVIEW_SCM,
  VIEW_CHAT,
  VIEW_CUSTOMIZATIONS,
} from '../contributionPoints';
import type { CommandRecord } from './commandRecord';

const IN_CHAT = `view == ${VIEW_CHAT}`;
const IN_CUSTOMIZATIONS = `view == ${VIEW_CUSTOMIZATIONS}`;
const ON_AGENT = `${IN_CUSTOMIZATIONS} && viewItem =~ /^item agents \\w+ (people|agents|nobody)$/`;
const ON_AGENT_FOR_PEOPLE = `${IN_CUSTOMIZATIONS} && viewItem =~ /^item agents \\w+ people$/`;
const IN_PROPOSAL = `isInDiffEditor && resourceScheme == ${PROPOSAL_SCHEME}`;
const TYPING_IN_PROPOSAL = `editorTextFocus && resourceScheme == ${PROPOSAL_SCHEME}`;
const IN_REVIEW = `scmProvider == ${REVIEW_SCM}`;
const IN_QUICK_DIFF = `originalResourceScheme == ${BASELINE_SCHEME}`;
const IN_GRAPH = 'resourceFilename == graph.yaml';
const IS_FILE = 'resourceScheme == file';
const SHOWS_REVIEWED_FILE = `${IS_FILE} && ${CONTEXT_TO_REVIEW} && resourcePath in ${CONTEXT_TO_REVIEW}`;

/**
 * Every command, in the order in which `/` offers them. `npm run manifest` writes from it what package.json and the panel know
 * of commands.
 */
export const COMMAND_RECORDS: readonly CommandRecord[] = [
  {
    name: 'newSession',
    icon: 'add',
    slash: { name: 'new', description: 'Start a new session' },
    keys: [{ key: 'ctrl+k ctrl+shift+j' }],
    load: async () => (await import('./sessionCommands')).newSession,
  },
  {
    name: 'openSession',
    icon: 'history',
    slash: { name: 'open', description: 'Open another session' },
    load: async () => (await import('./openSession')).openSession,
  },
  {
    name: 'chooseMode',
    slash: { name: 'mode', description: 'Choose what the agent can do: Ask, Plan, or Agent' },
    load: async () => (await import('./chooseMode')).chooseMode,
  },
  {
    name: 'chooseAgent',
    slash: { name: 'agent', description: 'Choose an agent', takes: 'agent' },
    load: async () => (await import('./setupCommands')).chooseAgent,
  },
  {
    name: 'chooseRole',
    slash: { name: 'role', description: 'Choose a role', takes: 'role' },
    load: async () => (await import('./setupCommands')).chooseRole,
  },
  {
    name: 'chooseSkills',
    slash: { name: 'skills', description: 'Load and unload skills' },
    load: async () => (await import('./setupCommands')).chooseSkills,
  },
  {
    name: 'chooseModel',
    slash: { name: 'model', description: 'Choose a model' },
    load: async () => (await import('./chooseModel')).chooseModel,
  },
  {
    name: 'chooseApprovalMode',
    slash: { name: 'approvals', description: 'Choose the approval mode' },
    load: async () => (await import('./chooseApprovalMode')).chooseApprovalMode,
  },
  {
    name: 'compactSession',
    slash: { name: 'compact', description: 'Summarize the conversation to free up context' },
    load: async () => (await import('./sessionCommands')).compactSession,
  },
  {
    name: 'restoreCheckpoint',
    icon: 'discard',
    slash: { name: 'undo', description: 'Restore files to how they were before a message' },
    load: async () => (await import('./restoreTo')).restoreCheckpoint,
  },
  {
    name: 'clearTodos',
    slash: { name: 'clear-todos', description: 'Clear the to-do list' },
    load: async () => (await import('./sessionCommands')).clearTodos,
  },
  {
    name: 'stopRun',
    icon: 'debug-stop',
    enablement: CONTEXT_RUNNING,
    slash: { name: 'stop', description: 'Stop the agent' },
    keys: [{ key: 'ctrl+k ctrl+shift+.', when: CONTEXT_RUNNING }],
    load: async () => (await import('./sessionCommands')).stopRun,
  },
  {
    name: 'describeCommand',
    slash: { name: 'shell', description: 'Generate a terminal command' },
    load: async () => (await import('./describeCommand')).describeCommand,
  },
  {
    name: 'exportSession',
    slash: { name: 'export', description: 'Save the session as Markdown or JSON' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@3' }],
    load: async () => (await import('./exportSession')).exportSession,
  },
  {
    name: 'openTranscript',
    slash: { name: 'transcript', description: 'Open the transcript as a document' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@2' }],
    load: async () => (await import('./sessionCommands')).openTranscript,
  },
  {
    name: 'openInEditor',
    icon: 'go-to-file',
    slash: { name: 'editor', description: 'Open this session in an editor tab' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@1' }],
    load: async () => (await import('./sessionCommands')).openInEditor,
  },
  {
    name: 'reviewChanges',
    icon: 'diff',
    enablement: `${CONTEXT_APPROVAL} || ${CONTEXT_TO_REVIEW}`,
    slash: { name: 'review', description: 'Review pending changes' },
    menus: [{ menu: 'scm/title', when: IN_REVIEW, group: 'navigation@1' }],
    keys: [{ key: 'ctrl+k ctrl+g', when: CONTEXT_APPROVAL }],
    load: async () => (await import('./reviewCommands')).reviewChanges,
  },
  {
    name: 'editPermissionRules',
    slash: { name: 'rules', description: 'Edit the permission rules' },
    load: async () => (await import('./showFiles')).editPermissionRules,
  },
  {
    name: 'showPermissions',
    slash: { name: 'permissions', description: 'Show, add, and remove permission rules' },
    load: async () => (await import('../pages/permissionsPage')).showPermissions,
  },
  {
    name: 'setApiKey',
    icon: 'key',
    slash: { name: 'key', description: 'Set an API key' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@1' }],
    load: async () => (await import('./setApiKey')).setApiKey,
  },
  {
    name: 'manageSecrets',
    slash: { name: 'secrets', description: 'Add, copy, update, and delete secrets' },
    load: async () => (await import('./secretCommands')).manageSecrets,
  },
  {
    name: 'manageMcpServers',
    slash: { name: 'mcp', description: 'Allow, start, and stop MCP servers' },
    load: async () => (await import('./mcpCommands')).manageMcpServers,
  },
  {
    name: 'newTool',
    load: async () => (await import('../scripts/toolCommands')).newTool,
  },
  {
    name: 'runTool',
    slash: { name: 'tool', description: 'Run a script tool' },
    load: async () => (await import('../scripts/toolCommands')).runTool,
  },
  {
    name: 'showEffectiveConfig',
    slash: { name: 'config', description: 'Show each setting and where it comes from' },
    load: async () => (await import('../config/showEffectiveConfig')).showEffectiveConfig,
  },
  {
    name: 'showUsage',
    slash: { name: 'usage', description: 'Show tokens and cost over time' },
    load: async () => (await import('../pages/usagePage')).showUsage,
  },
  {
    name: 'previewGraph',
    icon: 'type-hierarchy-sub',
    enablement: IN_GRAPH,
    menus: [{ menu: 'editor/title', when: IN_GRAPH, group: 'navigation@5' }],
    load: async () => (await import('../graphs/previewGraph')).previewGraph,
  },
  {
    name: 'importFromTools',
    slash: { name: 'import', description: 'Import from another tool' },
    load: async () => (await import('../import/importFromTools')).importFromTools,
  },
  { name: 'openPlan', inPanel: true, load: async () => (await import('./planCommands')).openPlan },
  { name: 'startPlan', inPanel: true, load: async () => (await import('./planCommands')).startPlan },
  { name: 'addSecret', load: async () => (await import('./secretCommands')).addSecret },
  {
    name: 'showLog',
    slash: { name: 'log', description: 'Show the log' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@2' }],
    load: async () => (await import('./showFiles')).showLog,
  },
  {
    name: 'openChat',
    icon: 'comment-discussion',
    keys: [{ key: 'ctrl+k ctrl+shift+c' }],
    load: async () => (await import('./sessionCommands')).openChat,
  },
  {
    name: 'approve',
    icon: 'check',
    enablement: CONTEXT_APPROVAL,
    menus: [{ menu: 'editor/title', when: IN_PROPOSAL, group: 'navigation@1' }],
    keys: [
      { key: 'ctrl+k ctrl+y', when: CONTEXT_APPROVAL },
      { key: 'ctrl+k ctrl+y', args: 'diff', when: TYPING_IN_PROPOSAL },
    ],
    load: async () => (await import('./proposalCommands')).approve,
  },
  {
    name: 'reject',
    icon: 'close',
    enablement: CONTEXT_APPROVAL,
    menus: [{ menu: 'editor/title', when: IN_PROPOSAL, group: 'navigation@2' }],
    keys: [
      { key: 'ctrl+k ctrl+shift+y', when: CONTEXT_APPROVAL },
      { key: 'ctrl+k ctrl+shift+y', args: 'diff', when: TYPING_IN_PROPOSAL },
    ],
    load: async () => (await import('./proposalCommands')).reject,
  },
  { name: 'takeHunk', inPalette: false, load: async () => (await import('./proposalCommands')).takeHunk },
  { name: 'leaveHunk', inPalette: false, load: async () => (await import('./proposalCommands')).leaveHunk },
  {
    name: 'keepHunk',
    icon: 'check',
    inPalette: false,
    menus: [{ menu: 'scm/change/title', when: IN_QUICK_DIFF, group: 'navigation@1' }],
    load: async () => (await import('./reviewCommands')).keepHunk,
  },
  {
    name: 'undoHunk',
    icon: 'discard',
    inPalette: false,
    menus: [{ menu: 'scm/change/title', when: IN_QUICK_DIFF, group: 'navigation@2' }],
    load: async () => (await import('./reviewCommands')).undoHunk,
  },
  {
    name: 'keepFile',
    icon: 'check',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'editor/title', when: SHOWS_REVIEWED_FILE, group: 'navigation@3' },
      { menu: 'scm/resourceState/context', when: IN_REVIEW, group: 'inline@1' },
    ],
    load: async () => (await import('./reviewCommands')).keepFile,
  },
  {
    name: 'undoFile',
    icon: 'discard',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'editor/title', when: SHOWS_REVIEWED_FILE, group: 'navigation@4' },
      { menu: 'scm/resourceState/context', when: IN_REVIEW, group: 'inline@2' },
    ],
    load: async () => (await import('./reviewCommands')).undoFile,
  },
  {
    name: 'keepAll',
    icon: 'check-all',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'scm/title', when: IN_REVIEW, group: 'navigation@2' },
      { menu: 'scm/resourceGroup/context', when: IN_REVIEW, group: 'inline@1' },
    ],
    load: async () => (await import('./reviewCommands')).keepAll,
  },
  {
    name: 'undoAll',
    icon: 'discard',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'scm/title', when: IN_REVIEW, group: 'navigation@3' },
      { menu: 'scm/resourceGroup/context', when: IN_REVIEW, group: 'inline@2' },
    ],
    load: async () => (await import('./reviewCommands')).undoAll,
  },
  { name: 'showAuditLog', load: async () => (await import('./showFiles')).showAuditLog },
  {
    name: 'renameSession',
    inPanel: true,
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@4' }],
    load: async () => (await import('./sessionCommands')).renameSession,
  },
  {
    name: 'deleteSession',
    inPanel: true,
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@5' }],
    load: async () => (await import('./sessionCommands')).deleteSession,
  },
  {
    name: 'find',
    icon: 'search',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@0' }],
    load: async () => (await import('./sessionCommands')).find,
  },
  {
    name: 'addSelection',
    enablement: 'editorHasSelection',
    menus: [{ menu: 'cairn.editor', when: 'editorHasSelection', group: '2_add@1' }],
    load: async () => (await import('./contextCommands')).addSelection,
  },
  {
    name: 'addFile',
    menus: [
      { menu: 'cairn.editor', when: IS_FILE, group: '2_add@2' },
      { menu: 'explorer/context', when: IS_FILE, group: '5_cairn@1' },
      { menu: 'editor/title/context', when: IS_FILE, group: '5_cairn@1' },
    ],
    load: async () => (await import('./contextCommands')).addFile,
  },
  {
    name: 'addProblems',
    menus: [{ menu: 'cairn.editor', group: '2_add@3' }],
    load: async () => (await import('./contextCommands')).addProblems,
  },
  {
    name: 'explain',
    menus: [{ menu: 'cairn.editor', group: '1_ask@1' }],
    load: async () => (await import('./contextCommands')).explain,
  },
  {
    name: 'fix',
    menus: [{ menu: 'cairn.editor', group: '1_ask@2' }],
    load: async () => (await import('./contextCommands')).fix,
  },
  {
    name: 'writeCommitMessage',
    icon: 'sparkle',
    menus: [{ menu: 'scm/title', when: 'scmProvider == git', group: 'navigation@9' }],
    load: async () => (await import('./writeCommitMessage')).writeCommitMessage,
  },
  {
    name: 'showCustomizations',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@3' }],
    load: async () => (await import('./customizeCommands')).showCustomizations,
  },
  {
    name: 'newAgent',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@1' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group agents'`, group: 'inline@1' },
    ],
    load: async () => (await import('./customizeCommands')).newContent('agents'),
  },
  {
    name: 'newSkill',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@2' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group skills'`, group: 'inline@1' },
    ],
    load: async () => (await import('./customizeCommands')).newContent('skills'),
  },
  {
    name: 'newRole',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@3' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group roles'`, group: 'inline@1' },
    ],
    load: async () => (await import('./customizeCommands')).newContent('roles'),
  },
  {
    name: 'duplicateToWorkspace',
    icon: 'copy',
    menus: [
      {
        menu: 'view/item/context',
        when: `${IN_CUSTOMIZATIONS} && viewItem =~ /^item \\w+ (builtin|user) /`,
        group: '2_change@1',
      },
    ],
    load: async () => (await import('./customizeCommands')).duplicateToWorkspace,
  },
  {
    name: 'showEffectivePrompt',
    icon: 'eye',
    menus: [
      { menu: 'view/item/context', when: ON_AGENT, group: 'inline@1' },
      { menu: 'view/item/context', when: ON_AGENT, group: '1_use@2' },
    ],
    load: async () => (await import('./customizeCommands')).showEffectivePrompt,
  },
  {
    name: 'startChat',
    icon: 'comment-discussion',
    menus: [
      { menu: 'view/item/context', when: ON_AGENT_FOR_PEOPLE, group: 'inline@2' },
      { menu: 'view/item/context', when: ON_AGENT_FOR_PEOPLE, group: '1_use@1' },
    ],
    load: async () => (await import('./customizeCommands')).startChat,
  },
];
