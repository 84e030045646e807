import { firstCodeBlock } from '../../base/firstCodeBlock';
import { fillTemplate } from '../../base/template';
import type { ContentCatalog } from '../content/contentCatalog';
import { type MachineFacts, specialVariables } from '../content/specialVariables';
import { EngineError } from '../engineError';
import type { OneQuestion } from '../llm/askOnce';
import type { ProviderRegistry } from '../llm/providerRegistry';
import type { Message } from '../messages/message';
import type { Ports } from '../ports';
import { fillRolePrompt, readRolePrompt, RoleConversation } from '../roles/role';
import type { MiddlewareChain } from '../run/hooks/middlewareChain';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import { type ResolvedSkills, resolveSkills, type Skill, type SkillLevels, type SkillPolicy } from '../skills/skill';
import type { AgentRuntime } from './agentRuntime';
import type { SelectionEdit } from './editSelection';

interface SessionQuestionsParts {
  runtime: Pick<AgentRuntime, 'plan'>;
  sessions: SessionCatalog;
  skills: ContentCatalog<Skill>;
  skillSettings: () => SkillLevels['global'];
  providers: ProviderRegistry;
  middleware: MiddlewareChain;
  machine: MachineFacts;
  /** Absolute path of the folder under which usage is recorded. */
  recordFolder: string;
  ports: Pick<Ports, 'clock' | 'files' | 'paths' | 'log'> &
    Required<Pick<Ports, 'strike' | 'strikePieces' | 'secretsKnown'>>;
}

export interface RoleQuestion extends Pick<OneQuestion, 'text' | 'onNotice' | 'onText'> {
  role: string;
  sessionId: string;
}

/** Answers questions about a session without a run. */
export class SessionQuestions {
  constructor(private readonly parts: SessionQuestionsParts) {}

  /**
   * Asks a role one question with the session's model, without tools and without storing anything. Rejects with EngineError
   * `invalid-input` if there is no such role, and as `askOnce` does.
   */
  async askRole({ role: name, sessionId, ...question }: RoleQuestion, signal: AbortSignal): Promise<string> {
    const { runtime, sessions, machine, ports } = this.parts;
    const { role, modelId, sampling } = await runtime.plan({ role: name, sessionId });
    if (!role) throw new EngineError('invalid-input', `There is no role “${name}”.`);
    const { workspace } = (await sessions.open(sessionId)).metadata;
    const special = specialVariables({ ...machine, workspace, now: ports.clock.now(), tools: [] });
    const prompt = fillRolePrompt(readRolePrompt(role.prompt), (words) => fillTemplate(words, special));
    const conversation = new RoleConversation(prompt);
    const dress = (messages: readonly Message[]) => conversation.apply(messages);
    const asked = { system: prompt.system, ...question, dress, ...sampling };
    const answer = await this.ask(asked, { sessionId, modelId, asker: role.name }, signal);
    return role.answer === 'code' ? firstCodeBlock(answer) : answer;
  }

  /** Returns the lines that replace a part of a file, from the session's model. See `editSelection`. */
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

  /** Returns the skills that may be loaded according to agent, role, session, and settings. `instead` replaces the session's policy. */
  async skillsFor(sessionId: string, instead?: SkillPolicy): Promise<ResolvedSkills> {
    const { runtime, sessions, skills, skillSettings } = this.parts;
    const { agent, role } = await runtime.plan({ sessionId });
    const session = instead ?? (await sessions.open(sessionId)).metadata.skillPolicy;
    const installed = (await skills.list()).map(({ name }) => name);
    const levels = { session, agent: agent.skills, role: role?.skills ?? {}, global: skillSettings() };
    return resolveSkills(levels, installed);
  }
}
