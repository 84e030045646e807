/** The entry point of the engine: everything that other layers may use of it. */
export type { AgentHandle, Interrupting } from './run/agentHandle';
export type { SentResult } from './run/sentResults';
export { type AgentDefinition, type AgentVariable, TEMPORARY_SESSION } from './agents/agentDefinition';
export type { ContentAuthoring } from './authoring/contentAuthoring';
export { contentFile, contentNameProblem } from './authoring/contentName';
export type { HelpKey, HelpName, WritingHelp } from './authoring/contentHelp';
export type { EffectivePrompt } from './runtime/effectivePrompt';
export type { PluginAgent } from './agents/pluginAgent';
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
  PLUGIN_MARKS,
} from './content/contentRoots';
export { brokenFile } from './runtime/runPlan';
export {
  commandPatterns,
  type PermissionMap,
  permissionMapSchema,
  readPermissionMap,
} from './agents/formats/permissionMap';
export { markdownAgentSchema } from './agents/formats/markdownAgent';
export { CLAUDE_TOOLS } from './content/foreignToolNames';
export { checkContent } from './content/checkContent';
export { type ContentProblem, problemLine, type Remedy } from './content/contentProblem';
export { modelId, modelName, nameList } from './content/writtenNames';
export { yamlText } from './content/yamlText';
export { readYaml, yamlReady, type YamlSource } from './content/yamlSource';
export { PassingSecrets } from './secrets/passingSecrets';
export { isStruckOut } from './secrets/secretForms';
export { isSecretName, MAX_SECRET_NAME, nameOfStored, SECRET_NAME_RULE, storedName } from './secrets/secretNames';
export { namedSecrets, resolveSecrets, type SecretValues } from './secrets/secretPlaceholders';
export type { ContentScope, ContentSource, ContentWorld, Named } from './content/contentSource';
export type { MachineFacts } from './content/specialVariables';
export { createEngine, type EngineParts } from './createEngine';
export type { ContextMark, ContextStrategy, ConversationToFit, FittedContext } from './context/contextStrategy';
export { DEFAULT_AGENT, type Engine } from './engine';
export { DEMO_PROVIDER, type ModelListing, type Provider } from './llm/provider';
export { EngineError, type EngineErrorReason } from './engineError';
export {
  type AddressTemplate,
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
  startText,
  type McpLaunch,
  type McpServer,
  OFFERS,
  type RemoteLaunch,
  type StdioLaunch,
  toolCount,
} from './mcp/mcpServer';
export type { McpInput } from './mcp/serverInputs';
export type { ServerAnswer } from './mcp/questions/answerServer';
export type { CompletionOf } from './mcp/completeValue';
export { type KnownServer, type McpParts, McpServers } from './mcp/mcpServers';
export type { LogLine } from './mcp/running/serverLogs';
export type { WrittenPrompt } from './mcp/prompts/promptMessage';
export { promptValues, type TypedPrompt, typedPrompts } from './mcp/prompts/typedPrompts';
export { type McpPlace, serverFilesIn } from './mcp/readServers';
export { parseServers, type ServerFile } from './mcp/serverFiles';
export { strikeOf } from './secrets/strikeOf';
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
export type { SyntaxTrees } from './scripts/trees/syntaxTree';
export type {
  ScriptDescription,
  ScriptFile,
  ScriptFunction,
  ScriptKind,
  ScriptLanguage,
  ScriptProblem,
} from './scripts/scriptDescription';
export type { KnownScript } from './scripts/scriptFiles';
export type { ScriptCall, ScriptEnd, ScriptRunner } from './scripts/scriptRunner';
export { AGENT_SCRIPTS, OWN_TOOL_FOLDERS, WORKSPACE_TOOL_FOLDER } from './scripts/scriptPlaces';
export { type ScriptParts, ScriptTools } from './scripts/scriptTools';
export { joinedSources, type ToolSource } from './tools/toolSource';
export { lateOnRequestTools } from './tools/onRequest/onRequest';
export type { CodeMatch, SqliteQuestion, SqliteRows, ToolPrograms } from './tools/onRequest/programs';
export { ToolFailure } from './tools/toolFailure';
export { type OnRequestParts, onRequestTools } from './tools/onRequest/onRequestTools';

export type { AgentEvent, AgentState, CheckpointStep, FinishedAgent, SpawnedAgent } from './events/agentEvent';
export type { Question, QuestionAnswer, QuestionKind, UserPrompter } from './events/question';
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
export { PROVIDER_KEYS } from './llm/providers/providerKeys';
export { type Attachment, type AttachmentSource, isOfCommand, textAttachment } from './messages/attachment';
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
export type { ToolCall } from './messages/toolCall';
export { plainOutput } from './tools/shell/plainOutput';
export type { BackgroundCommand } from './tools/shell/backgroundCommands';
export type { FileDiff, ToolDetail, ToolResult } from './messages/toolResult';
export type {
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalRequest,
  EditedProposal,
  FileChange,
  RuleOffer,
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
export { type WorkMode, WORK_MODES, workModeSchema } from './permissions/workMode';
export { type ApprovalMode, approvalModeSchema } from './permissions/defaultRuleset';
export type { PermissionRule, ToolCategory } from './permissions/permissionRule';
export { PermissionStore } from './permissions/permissionStore';
export { jsonLine } from './permissions/jsonLine';
export { ruleText } from './permissions/describeRule';
export { narrowRule } from './permissions/offerRules';
export { commandWords } from './permissions/shell/commandWords';
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
export { INSTRUCTION_FILES, RULE_FOLDERS } from './prompt/readInstructions';
export { splitWords } from './commands/fillCommand';
export { looksTyped, type TypedCommands } from './commands/typedCommands';
export type { ExpandedCommand } from './commands/expandCommand';
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
export type { AgentSession } from './sessions/agentSession';
export { titleFrom } from './sessions/agentSession';
export { type ArchivedSession, sessionFromArchive } from './import/archivedSession';
export type { ArchivePiece } from './import/archiveMessages';
export { type ExportFormat, exportSession } from './sessions/exportSession';
export type { EditWatcher, WatchedEdit } from './sessions/editWatcher';
export { type FileBefore, filesBefore, restoreFiles } from './sessions/fileCheckpoints';
export type { SessionEntry, SessionMetadata } from './sessions/sessionEntry';
export { type EngineSettings, engineSettingsSchema } from './settings';
export {
  type AttachedFile,
  attachFile,
  attachFolder,
  attachPage,
  MAX_ATTACHED_BYTES,
  NAMED_ONLY,
} from './tools/attachments';
export type { PluginSkill } from './skills/pluginSkill';
export type { Skill } from './skills/skill';
export { decodeText, encodeText, type TextFile } from './tools/files/formats/textFile';
export { openCodeTools } from './tools/openCode/openCodeTools';
export { parseToolCall } from './tools/parseToolCall';
export { toolSpecs } from './tools/toolSpecs';
export { type ChangedPlace, changedPlaces, type LineSpan, type MergedLines, mergeLines } from './tools/text/mergeLines';
export { type LineHunk, lineHunks } from './tools/text/lineHunks';
export { pageText } from './tools/web/pageText';
export type { PluginInput, PluginTool, PluginToolContext } from './tools/plugin/pluginTool';
export type { ToolRegistry } from './tools/toolRegistry';
export { readAnswers } from './graphs/dryRun/dryAnswers';
export { type DryNode, type DryRun, dryRun } from './graphs/dryRun/dryRun';
export type { AgentGraph } from './graphs/graphRunParts';
export { GraphRuns, type KnownRun, stateFromText } from './graphs/record/graphRuns';
export { type ScriptWays, targetsIn, waysOfScript } from './graphs/validation/scriptText';
export type { GraphRecord } from './graphs/record/graphRecords';
export { visitDetail } from './graphs/record/visitDetail';
export { type ComparedNode, comparedRuns, type NodeView, type RunView } from './graphs/record/runView';
export { FileSessionStore } from './sessions/fileSessionStore';
export { SessionCatalog } from './sessions/sessionCatalog';
export { parseJson } from './graphs/jsonValue';
