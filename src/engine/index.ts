/** The entry point of the engine: everything that other layers may use of it. */
export type { AgentHandle, Interrupting } from './run/agentHandle';
export type { SentResult } from './run/sentResults';
export {
  type AgentDefinition,
  type AgentVariable,
  type PluginAgent,
  TEMPORARY_SESSION,
} from './agents/agentDefinition';
export type { ContentAuthoring } from './authoring/contentAuthoring';
export { contentFile, contentNameProblem, GRAPH_TEMPLATES, type GraphTemplate } from './authoring/contentFiles';
export type { HelpKey, HelpName, WritingHelp } from './authoring/contentHelp';
export type { EffectivePrompt } from './runtime/effectivePrompt';
export { validateContent } from './authoring/validateContent';
export type { GraphPreview } from './authoring/graphs/graphPreview';
export { type GraphSymbol, graphSymbols, nodeIdProblem } from './authoring/graphs/graphSymbols';
export { type ContentCatalog, takenName } from './content/contentCatalog';
export {
  CONTENT_KINDS,
  FOUND_KINDS,
  type ContentKind,
  type ContentPlace,
  type ContentPlaces,
  contentRoots,
  INSTRUCTION_CONFIGS,
  INSTRUCTION_FILES,
  PLUGIN_MARKS,
  RULE_FOLDERS,
} from './content/contentRoots';
export { brokenFile } from './runtime/runPlan';
export {
  commandPatterns,
  permissionListSchema,
  permissionMapSchema,
  readPermissionList,
  readPermissionMap,
} from './agents/formats/permissionMap';
export { markdownAgentSchema } from './agents/formats/markdownAgent';
export { CLAUDE_TOOLS } from './content/foreignToolNames';
export { checkContent, plainMessage } from './content/checkContent';
export {
  type ContentProblem,
  type ContentScope,
  type ContentSource,
  type ContentWorld,
  type Named,
  problemLine,
  type Remedy,
  WORLD_NAMES,
} from './content/contentProblem';
export { modelId, modelName, nameList } from './content/writtenNames';
export { readYaml, yamlReady, type YamlSource, yamlText } from './content/yamlSource';
export { PassingSecrets } from './secrets/passingSecrets';
export { isStruckOut } from './secrets/secretForms';
export { isSecretName, MAX_SECRET_NAME, nameOfStored, SECRET_NAME_RULE, storedName } from './secrets/secretNames';
export { namedSecrets, resolveSecrets, type SecretValues } from './secrets/secretPlaceholders';
export type { MachineFacts } from './content/specialVariables';
export { createEngine, type EngineParts } from './createEngine';
export type { ContextMark, ContextStrategy, ConversationToFit, FittedContext } from './context/contextStrategy';
export { DEFAULT_AGENT, type Engine } from './engine';
export { DEMO_PROVIDER, type ModelListing, type Provider, PROVIDER_KEYS } from './llm/provider';
export { EngineError, type EngineErrorReason } from './engineError';
export {
  type AddressTemplate,
  MalformedAnswerError,
  type McpCallOptions,
  type McpConnector,
  type McpConnectOptions,
  type McpEra,
  type McpLink,
  SessionOverError,
  type SignInPage,
  type SignInStore,
} from './mcp/mcpConnector';
export {
  type McpInput,
  type McpLaunch,
  type McpServer,
  OFFERS,
  type RemoteLaunch,
  startText,
  type StdioLaunch,
  toolCount,
} from './mcp/mcpServer';
export type { ServerAnswer } from './mcp/questions/answerServer';
export type { CompletionOf } from './mcp/completeValue';
export { type KnownServer, type McpParts, McpServers } from './mcp/mcpServers';
export type { LogLine } from './mcp/running/serverLogs';
export { promptValues, type TypedPrompt, typedPrompts, type WrittenPrompt } from './mcp/promptMessage';
export { openCodeServers } from './mcp/openCodeServers';
export { type McpPlace, serverFilesIn } from './mcp/readServers';
export { parseServers, type ServerFile } from './mcp/serverFiles';
export { strikeOf } from './secrets/secretScan';
export { TOKEN_BEGINNINGS, tokensIn } from './secrets/vendorTokens';
export { changedJson } from './mcp/changedJson';
export {
  addressServer,
  commandServer,
  isAddress,
  lineServer,
  nameForServer,
  type PackageKind,
  packageServer,
  SERVER_TEMPLATES,
  type WrittenServer,
} from './mcp/newServer';
export { plainJson } from './mcp/plainJson';
export { CONSENTS_FILE, OUR_SERVER_FILE, OWN_SERVER_FILE, type ProgramFile, SERVER_FILES } from './mcp/serverPlaces';
export { type AnyTool, isToolName, type ToolTraits } from './tools/tool';
export { TOOL_LANGUAGES, toolTemplate } from './scripts/toolTemplate';
export { keptDescriptions } from './scripts/keptDescriptions';
export { scriptDescriber } from './scripts/describeScript';
export type { SyntaxTrees } from './scripts/syntaxTree';
export type {
  ScriptDescription,
  ScriptFile,
  ScriptFunction,
  ScriptKind,
  ScriptLanguage,
  ScriptProblem,
} from './scripts/scriptDescription';
export type { KnownScript } from './scripts/scriptFiles';
export type { ScriptCall, ScriptEnd, ScriptRunner } from './scripts/scriptTool';
export { AGENT_SCRIPTS, OWN_TOOL_FOLDERS, WORKSPACE_TOOL_FOLDER } from './scripts/scriptPlaces';
export { type ScriptParts, ScriptTools } from './scripts/scriptTools';
export { joinedSources, type ToolSource } from './tools/toolSource';
export {
  type CodeMatch,
  lateOnRequestTools,
  type SqliteQuestion,
  type SqliteRows,
  type ToolPrograms,
} from './tools/onRequest/onRequest';
export { ToolFailure } from './tools/toolOutput';
export { type OnRequestParts, onRequestTools } from './tools/onRequest/onRequestTools';

export type {
  AgentEvent,
  AgentState,
  CheckpointStep,
  FinishedAgent,
  Question,
  QuestionAnswer,
  QuestionKind,
  SpawnedAgent,
  UserPrompter,
} from './events/agentEvent';
export type { ChangedQuestion, EngineMiddleware, MiddlewareContext, ModelQuestion } from './run/hooks/engineMiddleware';
export { DEFAULT_TURNS } from './run/stopConditions';
export type { HiddenContext, JsonValue, RunMetadata } from './tools/hiddenContext';
export { ResourceKey, Resources } from './tools/resources';
export type { ToolErrorDecision, ToolErrorRecovery } from './tools/toolErrors';
export { limitText, type RunOutcome } from './events/runOutcome';
export { WorkTally } from './events/workTally';
export { type Abilities, costOf, type Effort, EFFORTS, type ListedModel, type Model } from './llm/model';
export type { LlmClient, LlmEvent, LlmFailure, LlmRequest } from './llm/llmClient';
export { callInput } from './llm/sdk/sentParts';
export {
  type Attachment,
  type AttachmentSource,
  isOfCommand,
  MAX_ATTACHED_BYTES,
  NAMED_ONLY,
  textAttachment,
} from './messages/attachment';
export {
  type AssistantMessage,
  attachmentsOf,
  type Message,
  parseSentInput,
  textOf,
  toolCallsOf,
  type UserInput,
  type UserMessage,
} from './messages/message';
export { DEEPEST, nesting } from './messages/nesting';
export type { TodoItem } from './messages/todoItem';
export type { FileDiff, ToolCall, ToolDetail, ToolResult } from './messages/toolCall';
export { plainOutput } from './tools/shell/commandOutput';
export type { BackgroundCommand } from './tools/shell/backgroundCommands';
export {
  type ApprovalAnswer,
  type ApprovalHandler,
  type ApprovalRequest,
  type EditedProposal,
  type FileChange,
  narrowRule,
  type RuleOffer,
} from './permissions/approvalHandler';
export {
  dayOf,
  readUsage,
  sumUsage,
  totalUsage,
  USAGE_KEYS,
  usageCsv,
  type UsageKey,
  type UsageSum,
  usageValue,
} from './usage/usageSummary';
export type { UsageRecord } from './usage/usageLog';
export {
  type ApprovalMode,
  approvalModeSchema,
  usableMode,
  WORK_MODES,
  type WorkMode,
  workModeSchema,
} from './permissions/modes';
export type { PermissionRule, ToolCategory } from './permissions/permissionRule';
export { PermissionStore } from './permissions/permissionStore';
export { jsonLine } from './permissions/jsonLine';
export { ruleText } from './permissions/describeRule';
export { commandWords } from './permissions/shell/judgeCommand';
export type { OwnRule } from './runtime/rulesInForce';
export { protectedPart } from './permissions/protectedPaths';
export type { WorkspaceScope } from './permissions/workspaceScope';
export type {
  Clock,
  DirectoryEntry,
  Fetch,
  FileLock,
  FileQuery,
  FileSearch,
  FileStat,
  FileSystem,
  GrepMatch,
  Log,
  PathStyle,
  Ports,
  ProcessEnd,
  ProcessRequest,
  ProcessRunner,
  SecretStore,
  MarkupItem,
  MarkupQuery,
  PageText,
  Web,
  WebRequest,
  WebResponse,
} from './ports';
export { type ExpandedCommand, splitWords } from './commands/expandCommand';
export { looksTyped, type TypedCommands } from './commands/typedCommands';
export type { Role } from './roles/role';
export type {
  AgentInternals,
  AgentLoop,
  LoopEvent,
  LoopState,
  ModelAsk,
  ModelReply,
  PermissionCheck,
} from './run/loop/agentLoop';
export type { RunRequest } from './run/runRequest';
export { type AgentSession, titleFrom } from './sessions/agentSession';
export { type ArchivedSession, type ArchivePiece, sessionFromArchive } from './import/archivedSession';
export { type ExportFormat, exportSession } from './sessions/exportSession';
export {
  type EditWatcher,
  type FileBefore,
  filesBefore,
  restoreFiles,
  type WatchedEdit,
} from './sessions/fileCheckpoints';
export type { SessionEntry, SessionMetadata } from './sessions/sessionEntry';
export { type EngineSettings, engineSettingsSchema } from './settings';
export { type AttachedFile, attachFile, attachFolder, attachPage } from './tools/attachments';
export type { PluginSkill, Skill } from './skills/skill';
export { decodeText, encodeText, type TextFile } from './tools/files/formats/textFile';
export { openCodeTools } from './tools/openCode/openCodeTools';
export { parseToolCall } from './tools/parseToolCall';
export { toolSpecs } from './tools/toolSpecs';
export { type ChangedPlace, changedPlaces, type LineSpan, type MergedLines, mergeLines } from './tools/mergeLines';
export { type LineHunk, lineHunks } from './tools/lineHunks';
export { pageText } from './tools/web/pageText';
export type { PluginInput, PluginTool, PluginToolContext } from './tools/plugin/pluginTool';
export type { ToolRegistry } from './tools/toolRegistry';
export { readAnswers } from './graphs/dryAnswers';
export { type DryNode, type DryRun, dryRun } from './graphs/dryRun';
export type { AgentGraph } from './graphs/desk';
export { GraphRuns, type KnownRun, stateFromText, visitDetail } from './graphs/record/graphRuns';
export { type ScriptWays, targetsIn, waysOfScript } from './graphs/validation/graphWorld';
export type { GraphRecord } from './graphs/record/graphRecords';
export { type ComparedNode, comparedRuns, type NodeView, type RunView } from './graphs/record/runView';
export { FileSessionStore } from './sessions/fileSessionStore';
export { SessionCatalog } from './sessions/sessionCatalog';
export { parseJson } from './graphs/graph';
