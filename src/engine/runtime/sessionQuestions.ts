import { firstCodeBlock } from '../../base/firstCodeBlock';
import { fillTemplate } from '../../base/template';
import type { OneQuestion } from '../llm/askOnce';
import { type MachineFacts, specialVariables } from '../content/specialVariables';
import type { ContentCatalog } from '../content/contentCatalog';
import { EngineError } from '../engineError';
import type { ProviderRegistry } from '../llm/providerRegistry';
import type { Message } from '../messages/message';
import type { Ports } from '../ports';
import { fillRolePrompt, readRolePrompt, RoleConversation } from '../roles/rolePrompt';
import type { MiddlewareChain } from '../run/hooks/middlewareChain';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import { resolveSkills, type ResolvedSkills, type SkillLevels } from '../skills/resolveSkills';
import type { Skill, SkillPolicy } from '../skills/skill';
import type { AgentRuntime } from './agentRuntime';
import type { SelectionEdit } from './editSelection';

export interface SessionQuestionsParts {
  runtime: Pick<AgentRuntime, 'plan'>;
  sessions: SessionCatalog;
  skills: ContentCatalog<Skill>;
  skillSettings: () => SkillLevels['global'];
  providers: ProviderRegistry;
  middleware: MiddlewareChain;
  machine: MachineFacts;
  /** Absolute folder below which it is recorded what requests use. */
  recordFolder: string;
  ports: Pick<Ports, 'clock' | 'files' | 'paths' | 'log' | 'strike' | 'strikePieces' | 'secretsKnown'>;
}

/** What can be asked of a session without a run in it. */
export class SessionQuestions {
  constructor(private readonly parts: SessionQuestionsParts) {}

  /**
   * One question to a role, by the model that the session would have, without tools and kept nowhere. Rejects with
   * EngineError `invalid-input` when there is no such role, else like `askOnce`.
   */
  async askRole(question: { role: string; text: string; sessionId: string }, signal: AbortSignal): Promise<string> {
    const { runtime, sessions, machine, ports } = this.parts;
    const { role, modelId, sampling } = await runtime.plan({ role: question.role, sessionId: question.sessionId });
    if (!role) throw new EngineError('invalid-input', `There is no role “${question.role}”.`);
    const { workspace } = (await sessions.open(question.sessionId)).metadata;
    const special = specialVariables({ ...machine, workspace, now: ports.clock.now(), tools: [] });
    const prompt = fillRolePrompt(readRolePrompt(role.prompt), (words) => fillTemplate(words, special));
    const conversation = new RoleConversation(prompt);
    const dress = (messages: readonly Message[]) => conversation.apply(messages);
    const asked = { system: prompt.system, text: question.text, dress, ...sampling };
    const answer = await this.ask(asked, { ...question, modelId, asker: role.name }, signal);
    return role.answer === 'code' ? firstCodeBlock(answer) : answer;
  }

  /** The lines that are to stand in the place of a part of a file, by the model that the session would have: like `editSelection`. */
  async editSelection(
    edit: SelectionEdit,
    onProgress: (linesSoFar: () => string[]) => void,
    signal: AbortSignal,
  ): Promise<string[]> {
    const { runtime, ports } = this.parts;
    const { sessionId } = edit;
    const { modelId } = await runtime.plan({ sessionId });
    const { editSelection } = await import('./editSelection');
    const place = { sessionId, modelId, asker: 'edit' };
    return editSelection(edit, (question) => this.ask(question, place, signal), ports, onProgress);
  }

  private async ask(
    question: OneQuestion,
    { sessionId, modelId, asker }: { sessionId: string; modelId: string; asker: string },
    signal: AbortSignal,
  ): Promise<string> {
    const { sessions, providers, middleware, ports, recordFolder } = this.parts;
    const { workspace } = (await sessions.open(sessionId)).metadata;
    const { askRecorded } = await import('../usage/askRecorded');
    const resolved = middleware.at({ sessionId, agentPath: [], signal }).around(providers.resolve(modelId));
    return askRecorded(resolved, question, { ...ports, folder: recordFolder, workspace, agent: asker }, signal);
  }

  /** The skills that may be loaded, as agent, role, session and settings have it now, or if the session said `instead`. */
  async skillsFor(sessionId: string, instead?: SkillPolicy): Promise<ResolvedSkills> {
    const { runtime, sessions, skills, skillSettings } = this.parts;
    const { agent, role } = await runtime.plan({ sessionId });
    const session = instead ?? (await sessions.open(sessionId)).metadata.skillPolicy;
    const installed = (await skills.list()).map(({ name }) => name);
    const levels = { session, agent: agent.skills, role: role?.skills ?? {}, global: skillSettings() };
    return resolveSkills(levels, installed);
  }
}
