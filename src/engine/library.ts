/**
 * A second entry point of the engine, for what only programs need through the library. Separate from `index.ts`, so that the
 * extension does not load it.
 */
export {
  agentDefaults,
  type AgentMode,
  type AgentVariable,
  pluginAgent as defineAgent,
} from './agents/agentDefinition';
export { AgentLoader, type AgentLoaderPorts } from './agents/agentLoader';
export {
  type AgentDefaults,
  AgentRuntimeBuilder,
  AgentSet,
  type ChosenModel,
  type KnownModels,
} from './runtime/agentRuntimeBuilder';
export type { KeptProgramRule, MatchContext, ProgramRule, RuleMatcher } from './permissions/program/programRules';
export type { PermissionAction, PermissionRule } from './permissions/permissionRule';
export type { CallPlace } from './runtime/callTool';
export { callable, fields, issuesOf } from './checkPlugin';
export { checkRunRequest, checkStartRequest } from './runtime/checkRunRequest';
export type { CheckPlace } from './runtime/checkCall';
export type { EngineRules, RulePlace } from './runtime/engineRules';
export { guardedStore, type ProgramStore } from './sessions/guardedStore';
export { memorySessions } from './sessions/memorySessions';
export { keepLastRounds } from './context/contextStrategy';
export { newMetadata } from './sessions/sessionMetadata';
export type {
  NewSession,
  SessionHold,
  SessionsOf,
  SessionStore,
  SessionStorePorts,
  StoredSession,
} from './sessions/sessionStore';
export type { ToolEntry } from './runtime/wantedTools';
export type { ContentBatch } from './content/contentCatalog';
export type { OneQuestion } from './llm/askOnce';
export { ModelResolutionError, type ModelResolutionKind } from './llm/providerRegistry';
export type { ToolWrapper, WrappedCall } from './tools/plugin/pluginTool';
export type { AnyTool, Tool } from './tools/tool';
export type { LookingSettings, ToolContext } from './tools/toolContext';
export { ToolFailure, type ToolOutput } from './tools/toolOutput';
export { defineProgramTool as defineTool } from './tools/toolSpecs';
