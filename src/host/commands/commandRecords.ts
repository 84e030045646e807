import {
  BASELINE_SCHEME,
  CONTEXT_APPROVAL,
  CONTEXT_ARRIVING,
  CONTEXT_RUNNING,
  CONTEXT_TO_REVIEW,
  PROPOSAL_SCHEME,
  REVIEW_SCM,
  VIEW_CHAT,
  VIEW_CUSTOMIZATIONS,
} from '../contributionPoints';
import type { CommandRecord } from './commandRecord';

/** In a narrow secondary side bar the editor moves icons of the title to its menu, the first one first. */
const IN_CHAT = `view == ${VIEW_CHAT}`;
const IN_CUSTOMIZATIONS = `view == ${VIEW_CUSTOMIZATIONS}`;
const ON_AGENT = `${IN_CUSTOMIZATIONS} && viewItem =~ /^item agents \\w+ (people|agents|nobody)$/`;
const ON_AGENT_FOR_PEOPLE = `${IN_CUSTOMIZATIONS} && viewItem =~ /^item agents \\w+ people$/`;
const IS_PROPOSAL = `resourceScheme == ${PROPOSAL_SCHEME}`;
const IN_PROPOSAL = `isInDiffEditor && ${IS_PROPOSAL}`;
const TYPING_IN_PROPOSAL = `editorTextFocus && ${IS_PROPOSAL}`;
const WATCHING_EDIT = `${TYPING_IN_PROPOSAL} && ${CONTEXT_ARRIVING} && !findWidgetVisible && !suggestWidgetVisible`;
const IN_REVIEW = `scmProvider == ${REVIEW_SCM}`;
const IN_QUICK_DIFF = `originalResourceScheme == ${BASELINE_SCHEME}`;
const IN_GRAPH = 'resourceFilename == graph.yaml';
const IS_FILE = 'resourceScheme == file';
/** The palette offers commands for the current file only while an editor is open. */
const WITH_EDITOR = { when: 'editorIsOpen' };
const CAN_EDIT = `${IS_FILE} && editorIsOpen && !editorReadonly`;
const SHOWS_REVIEWED_FILE = `${IS_FILE} && ${CONTEXT_TO_REVIEW} && resourcePath in ${CONTEXT_TO_REVIEW}`;

/**
 * All commands, in the order of the `/` menu. `npm run manifest` generates what package.json and the panel know about commands
 * from this.
 */
export const COMMAND_RECORDS: readonly CommandRecord[] = [
  {
    name: 'newSession',
    icon: 'add',
    slash: { name: 'new', group: 'session', description: 'Start a new session' },
    keys: [{ key: 'ctrl+k ctrl+shift+j' }],
  },
  {
    name: 'newSessionInView',
    icon: 'add',
    inPalette: false,
    menus: [{ menu: 'view/title', when: IN_CHAT, group: 'navigation@3' }],
  },
  {
    name: 'showHistory',
    icon: 'history',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: 'navigation@2' }],
  },
  {
    name: 'openSettings',
    icon: 'gear',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: 'navigation@1' }],
  },
  { name: 'openBaseUrls', inPalette: false, inPanel: true },
  { name: 'openFolder', inPalette: false, inPanel: true },
  { name: 'manageTrust', inPalette: false, inPanel: true },
  {
    name: 'openSession',
    icon: 'history',
    slash: { name: 'open', group: 'session', description: 'Open another session' },
  },
  {
    name: 'chooseMode',
    slash: { name: 'mode', group: 'agent', description: 'Choose what the agent can do: Ask, Plan, or Agent' },
  },
  {
    name: 'chooseAgent',
    slash: { name: 'agent', group: 'agent', description: 'Choose an agent', takes: 'agent' },
  },
  {
    name: 'chooseRole',
    slash: { name: 'role', group: 'agent', description: 'Choose a role', takes: 'role' },
  },
  {
    name: 'chooseSkills',
    slash: { name: 'skills', group: 'agent', description: 'Load and unload skills' },
  },
  {
    name: 'chooseModel',
    slash: { name: 'model', group: 'agent', description: 'Choose a model' },
  },
  {
    name: 'chooseApprovalMode',
    slash: { name: 'approvals', group: 'agent', description: 'Choose the approval mode' },
  },
  {
    name: 'compactSession',
    slash: { name: 'compact', group: 'session', description: 'Summarize the conversation to free up context' },
  },
  {
    name: 'restoreCheckpoint',
    icon: 'discard',
    slash: { name: 'undo', group: 'session', description: 'Restore files to how they were before a message' },
  },
  {
    name: 'clearTodos',
    slash: { name: 'clear-todos', group: 'session', description: 'Clear the to-do list' },
  },
  {
    name: 'stopRun',
    icon: 'debug-stop',
    enablement: CONTEXT_RUNNING,
    slash: { name: 'stop', group: 'session', description: 'Stop the agent' },
    keys: [{ key: 'ctrl+k ctrl+shift+.', when: CONTEXT_RUNNING }],
  },
  {
    name: 'describeCommand',
    slash: { name: 'shell', group: 'settings', description: 'Generate a terminal command' },
  },
  {
    name: 'exportSession',
    slash: { name: 'export', group: 'session', description: 'Save the session as Markdown or JSON' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@3' }],
  },
  {
    name: 'openTranscript',
    slash: { name: 'transcript', group: 'session', description: 'Open the transcript as a document' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@2' }],
  },
  {
    name: 'openInEditor',
    icon: 'go-to-file',
    slash: { name: 'editor', group: 'session', description: 'Open this session in an editor tab' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@1' }],
  },
  {
    name: 'reviewChanges',
    icon: 'diff',
    enablement: `${CONTEXT_APPROVAL} || ${CONTEXT_TO_REVIEW}`,
    slash: { name: 'review', group: 'session', description: 'Review pending changes' },
    menus: [{ menu: 'scm/title', when: IN_REVIEW, group: 'navigation@1' }],
    keys: [{ key: 'ctrl+k ctrl+g', when: CONTEXT_APPROVAL }],
  },
  {
    name: 'editPermissionRules',
    slash: { name: 'rules', group: 'settings', description: 'Edit the permission rules' },
  },
  {
    name: 'showPermissions',
    slash: { name: 'permissions', group: 'settings', description: 'Show, add, and remove permission rules' },
  },
  {
    name: 'setApiKey',
    icon: 'key',
    slash: { name: 'key', group: 'settings', description: 'Set an API key' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@1' }],
  },
  {
    name: 'manageSecrets',
    slash: { name: 'secrets', group: 'settings', description: 'Add, copy, update, and delete secrets' },
  },
  {
    name: 'manageMcpServers',
    slash: { name: 'mcp', group: 'settings', description: 'Allow, start, and stop MCP servers' },
  },
  {
    name: 'addMcpServer',
    icon: 'add',
  },
  {
    name: 'showMcpServers',
    slash: { name: 'servers', group: 'settings', description: 'Show MCP servers with their state, tools, and log' },
  },
  {
    name: 'newTool',
  },
  {
    name: 'runTool',
    slash: { name: 'tool', group: 'settings', description: 'Run a script tool' },
  },
  {
    name: 'showEffectiveConfig',
    slash: { name: 'config', group: 'settings', description: 'Show each setting and where it comes from' },
  },
  {
    name: 'showUsage',
    slash: { name: 'usage', group: 'settings', description: 'Show tokens and cost over time' },
  },
  {
    name: 'previewGraph',
    icon: 'type-hierarchy-sub',
    enablement: IN_GRAPH,
    menus: [{ menu: 'editor/title', when: IN_GRAPH, group: 'navigation@5' }],
  },
  {
    name: 'showGraphRuns',
    slash: { name: 'runs', group: 'session', description: 'Show runs of graphs' },
  },
  {
    name: 'importFromTools',
    slash: { name: 'import', group: 'settings', description: 'Import from another tool' },
  },
  { name: 'openPlan', inPanel: true },
  { name: 'startPlan', inPanel: true },
  { name: 'addSecret' },
  {
    name: 'showLog',
    slash: { name: 'log', group: 'settings', description: 'Show the log' },
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@2' }],
  },
  {
    name: 'openChat',
    icon: { light: 'media/icon.light.svg', dark: 'media/icon.dark.svg' },
    // The only part of Cairn visible while its view is hidden, even before the extension was first activated.
    menus: [{ menu: 'editor/title', when: `!view.${VIEW_CHAT}.visible`, group: 'navigation@9' }],
    keys: [{ key: 'ctrl+k ctrl+shift+c' }],
  },
  {
    name: 'approve',
    icon: 'check',
    enablement: `${CONTEXT_APPROVAL} || ${IS_PROPOSAL}`,
    menus: [{ menu: 'editor/title', when: IN_PROPOSAL, group: 'navigation@1' }],
    keys: [
      { key: 'ctrl+k ctrl+y', when: CONTEXT_APPROVAL },
      { key: 'ctrl+k ctrl+y', args: 'diff', when: TYPING_IN_PROPOSAL },
    ],
  },
  {
    name: 'reject',
    icon: 'close',
    enablement: `${CONTEXT_APPROVAL} || ${IS_PROPOSAL}`,
    menus: [{ menu: 'editor/title', when: IN_PROPOSAL, group: 'navigation@2' }],
    keys: [
      { key: 'ctrl+k ctrl+shift+y', when: CONTEXT_APPROVAL },
      { key: 'ctrl+k ctrl+shift+y', args: 'diff', when: TYPING_IN_PROPOSAL },
      { key: 'escape', args: 'diff', when: WATCHING_EDIT },
    ],
  },
  { name: 'takeHunk', inPalette: false },
  { name: 'leaveHunk', inPalette: false },
  {
    name: 'keepHunk',
    icon: 'check',
    inPalette: false,
    menus: [{ menu: 'scm/change/title', when: IN_QUICK_DIFF, group: 'navigation@1' }],
  },
  {
    name: 'undoHunk',
    icon: 'discard',
    inPalette: false,
    menus: [{ menu: 'scm/change/title', when: IN_QUICK_DIFF, group: 'navigation@2' }],
  },
  {
    name: 'keepFile',
    icon: 'check',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'editor/title', when: SHOWS_REVIEWED_FILE, group: 'navigation@3' },
      { menu: 'scm/resourceState/context', when: IN_REVIEW, group: 'inline@1' },
    ],
  },
  {
    name: 'undoFile',
    icon: 'discard',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'editor/title', when: SHOWS_REVIEWED_FILE, group: 'navigation@4' },
      { menu: 'scm/resourceState/context', when: IN_REVIEW, group: 'inline@2' },
    ],
  },
  {
    name: 'keepAll',
    icon: 'check-all',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'scm/title', when: IN_REVIEW, group: 'navigation@2' },
      { menu: 'scm/resourceGroup/context', when: IN_REVIEW, group: 'inline@1' },
    ],
  },
  {
    name: 'undoAll',
    icon: 'discard',
    enablement: CONTEXT_TO_REVIEW,
    menus: [
      { menu: 'scm/title', when: IN_REVIEW, group: 'navigation@3' },
      { menu: 'scm/resourceGroup/context', when: IN_REVIEW, group: 'inline@2' },
    ],
  },
  { name: 'showAuditLog' },
  {
    name: 'renameSession',
    inPanel: true,
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@4' }],
  },
  {
    name: 'deleteSession',
    inPanel: true,
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@5' }],
  },
  {
    name: 'find',
    icon: 'search',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '1_session@0' }],
  },
  {
    name: 'addSelection',
    enablement: 'editorHasSelection',
    menus: [{ menu: 'cairn.editor', when: 'editorHasSelection', group: '2_add@1' }],
  },
  {
    name: 'addFile',
    inPalette: WITH_EDITOR,
    menus: [
      { menu: 'cairn.editor', when: IS_FILE, group: '2_add@2' },
      { menu: 'explorer/context', when: IS_FILE, group: '5_cairn@1' },
      { menu: 'editor/title/context', when: IS_FILE, group: '5_cairn@1' },
    ],
  },
  {
    name: 'addProblems',
    menus: [{ menu: 'cairn.editor', group: '2_add@3' }],
  },
  {
    name: 'editSelection',
    icon: 'sparkle',
    enablement: CAN_EDIT,
    menus: [{ menu: 'cairn.editor', when: CAN_EDIT, group: '1_ask@0' }],
    keys: [{ key: 'ctrl+k ctrl+shift+i', when: `editorTextFocus && ${CAN_EDIT}` }],
  },
  {
    name: 'explain',
    inPalette: WITH_EDITOR,
    menus: [{ menu: 'cairn.editor', group: '1_ask@1' }],
  },
  {
    name: 'fix',
    inPalette: WITH_EDITOR,
    menus: [{ menu: 'cairn.editor', group: '1_ask@2' }],
  },
  {
    name: 'writeCommitMessage',
    icon: 'sparkle',
    menus: [{ menu: 'scm/title', when: 'scmProvider == git', group: 'navigation@9' }],
  },
  {
    name: 'showCustomizations',
    menus: [{ menu: 'view/title', when: IN_CHAT, group: '2_cairn@3' }],
  },
  {
    name: 'newAgent',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@1' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group agents'`, group: 'inline@1' },
    ],
  },
  {
    name: 'newGraph',
    menus: [{ menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@4' }],
  },
  {
    name: 'newSkill',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@2' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group skills'`, group: 'inline@1' },
    ],
  },
  {
    name: 'newRole',
    icon: 'add',
    menus: [
      { menu: 'view/title', when: IN_CUSTOMIZATIONS, group: '1_new@3' },
      { menu: 'view/item/context', when: `${IN_CUSTOMIZATIONS} && viewItem == 'group roles'`, group: 'inline@1' },
    ],
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
  },
  {
    name: 'showEffectivePrompt',
    icon: 'eye',
    menus: [
      { menu: 'view/item/context', when: ON_AGENT, group: 'inline@1' },
      { menu: 'view/item/context', when: ON_AGENT, group: '1_use@2' },
    ],
  },
  {
    name: 'startChat',
    icon: 'comment-discussion',
    menus: [
      { menu: 'view/item/context', when: ON_AGENT_FOR_PEOPLE, group: 'inline@2' },
      { menu: 'view/item/context', when: ON_AGENT_FOR_PEOPLE, group: '1_use@1' },
    ],
  },
];
