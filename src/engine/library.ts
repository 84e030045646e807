/**
 * A second entry point of the engine, for what only programs need through the library. Separate from `index.ts`, so that the
 * extension does not load it.
 */
export { agentDefaults, type AgentMode, type AgentVariable } from './agents/agentDefinition';
export { AgentLoader, type AgentLoaderPorts } from './agents/agentLoader';
export { AgentRuntimeBuilder } from './runtime/builder/agentRuntimeBuilder';
export { type AgentDefaults, AgentSet } from './runtime/builder/agentSet';
export type { ChosenModel, KnownModels } from './runtime/builder/chooseModel';
export { pluginAgent as defineAgent } from './agents/pluginAgent';
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
export type { ToolEntry } from './runtime/builder/defaultTools';
export type { ContentBatch } from './content/contentCatalog';
export type { OneQuestion } from './llm/askOnce';
export { ModelResolutionError, type ModelResolutionKind } from './llm/providerRegistry';
export type { ToolWrapper, WrappedCall } from './tools/plugin/wrappedTool';
export type { AnyTool, Tool } from './tools/tool';
export type { ToolContext } from './tools/toolContext';
export type { ToolOutput } from './tools/toolOutput';
export type { LookingSettings } from './tools/files/lookingSettings';
export { defineProgramTool as defineTool } from './tools/toolSpecs';
export { ToolFailure } from './tools/toolFailure';
