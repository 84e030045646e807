/** What `import … from 'cairn'` gives: the engine, the machine's ports, and what programs build agents with. */
export type { Disposable } from '../base/disposable';
export type {
  AgentDefinition,
  AgentEvent,
  AgentHandle,
  AgentInternals,
  AgentLoop,
  AgentSession,
  AgentState,
  ApprovalAnswer,
  ApprovalHandler,
  ApprovalMode,
  ApprovalRequest,
  AssistantMessage,
  ContentCatalog,
  Engine,
  EngineErrorReason,
  EngineSettings,
  LlmClient,
  LlmEvent,
  LlmRequest,
  Log,
  LoopEvent,
  LoopState,
  Message,
  Model,
  ModelListing,
  ModelReply,
  PluginAgent,
  PluginInput,
  PluginSkill,
  PluginTool,
  PluginToolContext,
  Ports,
  Provider,
  Question,
  QuestionAnswer,
  Role,
  RunOutcome,
  RunRequest,
  Skill,
  ToolCall,
  ToolCategory,
  ToolResult,
  UserInput,
  UserPrompter,
} from '../engine';
export { EngineError, textOf } from '../engine';
export * from '../engine/library';
export { nodePorts, type NodePortsOptions } from '../node/nodePorts';
export type { ApiRunRequest, CairnApi } from './cairnApi';
export { createEngine, type LibraryOptions } from './createEngine';
export { startRun, type StartRequest } from './startRun';
