import { frontModules } from './frontModules';
import type { MutatedModule } from './mutatedModule';

const permissions = 'src/engine/permissions';
const run = 'src/engine/run';

const graphTests = [
  ...[
    'askedPeople',
    'graphBudget',
    'graphRuns',
    'killed',
    'mapFallback',
    'nodeUsage',
    'nodeWork',
    'reportedFailures',
    'schedule',
  ],
  ...['state', 'stoppedRuns', 'subAgents', 'unfinished', 'visitDetail'],
].map((file) => `test/engine/graphs/${file}.test.ts`);

/** The modules where mistakes would be most costly, each with the tests that should detect them. */
export const mutatedModules: readonly MutatedModule[] = [
  {
    name: 'permissions/shell',
    files: [
      ...['judgeCommand', 'protectedWords', 'changedWords', 'commandCaution', 'dangerousForms', 'unwrapCommand'],
      ...['touched/changedByGit', 'touched/touchedFiles', 'started/startedScripts', 'started/certainValues'],
      ...['steeringVariables', 'gitSettings', 'handedSecrets', 'startedByOptions'],
    ].map((file) => `${permissions}/shell/${file}.ts`),
    tests: [
      ...[
        'dangers',
        'everyDanger',
        'givenMeaning',
        'kinds',
        'libraries',
        'offers',
        'plainScripts',
        'requested',
        'secrets',
        'splitting',
        'started',
        'steering',
        'touched',
        'verdicts',
        'wrapped',
      ].map((file) => `test/engine/permissions/shell/${file}.test.ts`),
      'test/engine/permissions/protectedPaths.test.ts',
    ],
  },
  {
    name: 'policy, matching, scope',
    files: [
      'toolPolicy',
      'matchesRule',
      'matchCommand',
      'sameActions',
      'resolveQuery',
      'workspaceScope',
      'protectedPaths',
    ].map((file) => `${permissions}/${file}.ts`),
    tests: [
      ...[
        'toolPolicy',
        'parts',
        'protectedPaths',
        'workspaceScope',
        'together',
        'namesHost',
        'repositoryFile',
        'programRules',
      ].map((file) => `test/engine/permissions/${file}.test.ts`),
      'test/engine/permissions/shell/verdicts.test.ts',
      'test/engine/permissions/shell/dangers.test.ts',
      'test/engine/permissions/shell/namedReads.test.ts',
      'test/engine/permissions/matchCommand.test.ts',
    ],
  },
  {
    name: 'approvals, rule files',
    files: ['authorize', 'permissionFile', 'permissionStore', 'approvalHandler'].map(
      (file) => `${permissions}/${file}.ts`,
    ),
    tests: [
      'approvals',
      'lastingRules',
      'putToPerson',
      'sharedRules',
      'together',
      'toolPolicy',
      'parts',
      'programRules',
      'repositoryFile',
      'shell/verdicts',
      'shell/dangers',
      '../run/judgedFirst',
      '../secrets/knownSecrets',
    ].map((file) => `test/engine/permissions/${file}.test.ts`),
  },
  {
    name: 'file tools',
    files: ['patch/applyPatch', 'edit/applyChange', 'edit/proposeEdit', 'readTextFile', 'seenFiles'].map(
      (file) => `src/engine/tools/files/${file}.ts`,
    ),
    tests: ['test/engine/tools/files', 'test/engine/tools/modelSlips.test.ts', 'test/engine/run/unseenFiles.test.ts'],
  },
  {
    name: 'session store',
    files: ['fileSessionStore', 'agentSession', 'fileCheckpoints', 'sessionMetadata', 'parseHistory'].map(
      (file) => `src/engine/sessions/${file}.ts`,
    ),
    tests: ['test/engine/sessions'],
  },
  {
    name: 'crash recovery',
    files: ['src/engine/messages/repairTranscript.ts', `${run}/takeInput.ts`, `${run}/interrupts.ts`],
    tests: [
      'test/engine/messages',
      ...['runAgent', 'lateMessages', 'takenCalls', 'unseenFiles', 'attachments', 'instructionsAndTitles'].map(
        (file) => `test/engine/run/${file}.test.ts`,
      ),
      ...['cutOffRuns', 'fullDisk', 'interrupt', 'middleware'].map((file) => `test/engine/run/${file}.test.ts`),
      'test/engine/engineRuns.test.ts',
      'test/engine/sessions/branchAtCheckpoint.test.ts',
    ],
  },
  {
    name: 'compaction, pruning',
    files: [
      ...['compactSession', 'fitConversation'].map((file) => `${run}/fitting/${file}.ts`),
      'src/engine/context/prunedView.ts',
      'src/engine/sessions/modelView.ts',
    ],
    tests: [
      ...[
        'compaction',
        'compressionThreshold',
        'context',
        'fitting',
        'longRun',
        'prefix',
        'prunedParts',
        'pruning',
      ].map((file) => `test/engine/context/${file}.test.ts`),
      'test/engine/agents/team/spending.test.ts',
    ],
  },
  {
    name: 'run loop',
    files: ['runAgent', 'step', 'runToolCalls', 'runToolCall', 'autoContinue', 'stopConditions'].map(
      (file) => `${run}/${file}.ts`,
    ),
    tests: [
      'test/engine/run',
      ...['cancelTree', 'ending', 'sharedBudget', 'spending'].map((file) => `test/engine/agents/team/${file}.test.ts`),
      ...['lastingRules', 'approvals', 'together'].map((file) => `test/engine/permissions/${file}.test.ts`),
      'test/engine/skills/skillTools.test.ts',
      'test/engine/secrets/writtenSecrets.test.ts',
      'test/engine/context/fitting.test.ts',
      'test/engine/plugins.test.ts',
      'test/engine/agents/loopAgents.test.ts',
      'test/engine/sessions/checkpoints.test.ts',
      'test/library/contextStrategy.test.ts',
    ],
  },
  {
    name: 'retry of streams',
    files: ['src/engine/llm/middleware/retryBrokenStream.ts'],
    tests: ['test/engine/llm/middleware/retryBrokenStream.test.ts', 'test/engine/run/retries.test.ts'],
  },
  {
    name: 'skills',
    files: ['src/engine/prompt/sessionSkills.ts', 'src/engine/skills/skill.ts', 'src/engine/skills/skillLoader.ts'],
    tests: ['test/engine/skills'],
  },
  {
    name: 'agent loader',
    files: ['src/engine/agents/agentLoader.ts', 'src/engine/agents/formats/markdownAgent.ts'],
    tests: [
      '../content/pluginRoots',
      'agentLoader',
      'agentFormats',
      'turnedOff',
      'permissionMap',
      'environmentOverrides',
      'contentAuthoring',
      'foreignAgents',
      'markdownProblems',
      'openCodeTools',
      'unknownKeys',
      'offered',
    ].map((file) => `test/engine/agents/${file}.test.ts`),
  },
  {
    name: 'model resolution, plan',
    files: ['src/engine/runtime/runPlan.ts'],
    tests: [
      ...['chosenAgent', 'plannedRun', 'variables', 'environmentOverrides', 'effectivePrompt', 'agentFormats'].map(
        (file) => `test/engine/agents/${file}.test.ts`,
      ),
      'test/engine/roles',
      'test/engine/models.test.ts',
      'test/engine/llm/effort.test.ts',
      'test/engine/run/autoContinue.test.ts',
      'test/engine/run/turnsByDefault.test.ts',
    ],
  },
  {
    name: 'reduceChat, numbering',
    files: ['src/protocol/reduceChat.ts', 'webview/store/chatStore.ts'],
    tests: ['test/protocol/reduceChat.test.ts', 'test/webview/chatStore.test.ts', 'test/chat/projection.test.ts'],
  },
  {
    name: 'review ledger',
    files: ['reviewedFile', 'reviewLayers', 'lineDifferences'].map((file) => `src/host/review/${file}.ts`),
    tests: ['lineDifferences', 'reviewedEdges', 'reviewedFile', 'reviewedTurns'].map(
      (file) => `test/host/${file}.test.ts`,
    ),
  },
  {
    name: 'Markdown splitter',
    files: ['webview/markdown/blockSplitter.ts'],
    tests: ['test/webview/blockSplitter.test.ts'],
  },
  {
    name: 'windowed transcript',
    files: ['webview/transcript/entryWindow.ts', 'webview/transcript/guessHeight.ts'],
    tests: [
      'test/webview/entryHeights.test.ts',
      'test/webview/entryPlaces.test.ts',
      'test/webview/foldedEntries.test.ts',
      'test/webview/transcript.test.ts',
      'test/webview/longSession.test.ts',
    ],
    inPanel: true,
  },
  {
    name: 'team',
    files: ['src/engine/team/teamMember.ts', 'src/engine/team/escalations.ts'],
    tests: ['test/engine/agents/team'],
  },
  {
    name: 'MCP servers',
    files: [
      ...['mcpChoices', 'mcpServer', 'mcpServers', 'offeredTools', 'serverFiles', 'openCodeServers', 'readServers'],
      ...['running/mcpPool', 'running/runningServers', 'running/serverTroubles'],
      ...['running/fillLaunch', 'running/keptByLaunch', 'rankTools', 'resultOutput', 'serverLists'],
    ].map((file) => `src/engine/mcp/${file}.ts`),
    tests: ['test/engine/mcp', 'test/node/mcp'],
  },
  {
    name: 'vault',
    files: ['programSecrets', 'secretProviders', 'vaultFile', 'vaultKey'].map((file) => `src/node/vault/${file}.ts`),
    tests: ['test/node/vault'],
  },
  {
    name: 'usage over time',
    files: ['askRecorded', 'usageLog', 'usageSummary'].map((file) => `src/engine/usage/${file}.ts`),
    tests: ['test/engine/usage'],
  },
  {
    name: 'named prompts',
    files: ['commandLoader', 'expandCommand', 'promptCommand', 'tomlCommand', 'typedCommands'].map(
      (file) => `src/engine/commands/${file}.ts`,
    ),
    tests: [
      ...['commands/commands', 'content/foreignFiles', 'content/takenNames', 'badInput', 'agents/foreignKinds'].map(
        (file) => `test/engine/${file}.test.ts`,
      ),
      'test/host/commands',
    ],
  },
  {
    name: 'formats of other tools',
    files: [
      ...[
        'claudeAgent',
        'codexAgent',
        'copilotAgent',
        'coyoteAgent',
        'cursorAgent',
        'geminiAgent',
        'permissionMap',
      ].map((file) => `src/engine/agents/formats/${file}.ts`),
      ...['foreignFrontMatter', 'foreignModel', 'foreignToolNames', 'pluginRoots', 'toolNames', 'writtenNames'].map(
        (file) => `src/engine/content/${file}.ts`,
      ),
    ],
    tests: [
      ...['agentFormats', 'foreignAgents', 'foreignKinds', 'markdownProblems', 'openCodeTools', 'permissionMap'].map(
        (file) => `test/engine/agents/${file}.test.ts`,
      ),
      'test/engine/content',
    ],
  },
  {
    name: 'live chats',
    files: [
      ...['agentEntries', 'chatApprovalHandler', 'chatController', 'deltaBuffer', 'eventProjector', 'liveChat'],
      ...['liveChats', 'messageQueue', 'notices', 'outsideCalls', 'replayHistory', 'toolLooks', 'turnEntries'],
    ].map((file) => `src/chat/${file}.ts`),
    tests: ['test/chat', 'test/host/api/openApi.test.ts', 'test/engine/run/lateMessages.test.ts'],
  },
  {
    name: 'signing in to MCP servers',
    files: ['guardedFetch', 'keptSignIn', 'returnAddress', 'serverTokens', 'signIn'].map(
      (file) => `src/node/mcp/signIn/${file}.ts`,
    ),
    tests: ['signIn', 'signInDefenses', 'signInFromEditor'].map((file) => `test/node/mcp/${file}.test.ts`),
  },
  // Its tests take the grammars from a build (`node esbuild.mjs`); without one, those of two languages are left out.
  {
    name: 'scripts as tools',
    files: [
      ...['argcTags', 'describeScript', 'scriptEnvironment', 'scriptFiles', 'scriptTool', 'scriptTools'],
      ...['code/codeFunction', 'code/describePython', 'code/describeTypescript', 'code/pythonDocs'],
      ...['code/typescriptType', 'code/valueType'],
    ].map((file) => `src/engine/scripts/${file}.ts`),
    tests: ['test/engine/scripts', 'test/node/scripts'],
  },
  {
    name: 'offered tools',
    files: [
      ...['equipAgent', 'toolsAtHand', 'wantedTools', 'checkCall'].map((file) => `src/engine/runtime/${file}.ts`),
      ...['toolRegistry', 'toolSource', 'toolSpecs', 'parseToolCall'].map((file) => `src/engine/tools/${file}.ts`),
    ],
    tests: [
      ...['agents/agentFormats', 'agents/lookingSettings', 'agents/plannedRun', 'agents/loopAgents', 'agents/offered'],
      ...['plugins', 'pluginPermissions', 'tools/registeredTools', 'tools/toolList', 'tools/modelSlips'],
      ...['skills/skillTools', 'mcp/toolLists', 'scripts/agentScripts', 'agents/openCodeTools', 'run/toolErrors'],
      ...['permissions/programRules', 'permissions/workMode', 'secrets/writtenSecrets', 'run/runAgent'],
      ...['skills/sessionSkills', 'mcp/servers'],
    ]
      .map((file) => `test/engine/${file}.test.ts`)
      .concat('test/library'),
  },
  {
    name: 'secrets',
    files: ['knownSecrets', 'passingSecrets', 'secretForms', 'secretNames', 'secretPlaceholders', 'secretScan']
      .concat('struckMessage')
      .map((file) => `src/engine/secrets/${file}.ts`),
    tests: ['test/engine/secrets', 'test/engine/permissions/parts.test.ts', 'test/engine/mcp/serverInputs.test.ts'],
  },
  {
    name: 'inline edit',
    files: ['src/engine/runtime/editSelection.ts', 'src/engine/run/askSideRequest.ts', 'src/base/firstCodeBlock.ts'],
    tests: ['test/engine/runtime', 'test/host/inline', 'test/base/smallTexts.test.ts'],
  },
  {
    name: 'graph steps',
    files: [
      ...['graphRun', 'graphState', 'position', 'runSteps'],
      ...['accounts', 'askNodes', 'mapNode', 'nodeRoom', 'runNode', 'workNodes'].map((file) => `nodes/${file}`),
    ].map((file) => `src/engine/graphs/${file}.ts`),
    tests: graphTests,
  },
  {
    name: 'graph records',
    files: [
      ...['graphRecords', 'graphRuns', 'progress', 'runView'].map((file) => `graphs/record/${file}`),
      ...['graphProgram', 'nodeDesk'].map((file) => `runtime/graph/${file}`),
    ].map((file) => `src/engine/${file}.ts`),
    tests: graphTests,
  },
  ...frontModules,
];
