import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import type { AgentDefinition } from '../agents/agentDefinition';
import { EngineError } from '../engineError';
import type { ScopedEmitter } from '../events/scopedEmitter';
import { OWN_INSTRUCTIONS } from '../prompt/placeFacts';
import type { AgentSession } from '../sessions/agentSession';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import { toolUser } from './toolsAtHand';

interface InstructedRun {
  session: Pick<AgentSession, 'told'> & { readonly metadata: Pick<AgentSession['metadata'], 'workspace'> };
  agent: AgentDefinition;
  variables: ReadonlyMap<string, string>;
  emitter: ScopedEmitter;
  signal: AbortSignal;
}

/**
 * Returns the instructions from an agent's script, if its file asks for that: those given when the session's conversation
 * started, or else what the script returns now. Undefined if they are not available; a notice says so, and the agent's file
 * applies. Rejects with AbortError.
 */
export async function dynamicInstructions(
  { toolSource, scope }: Pick<AgentRuntimeParts, 'toolSource' | 'scope'>,
  { session, agent, variables, emitter, signal }: InstructedRun,
): Promise<string | undefined> {
  if (!agent.dynamicInstructions) return undefined;
  const { told } = session;
  // A conversation keeps the instructions it started with.
  if (told?.agent === agent.name) return told.first[OWN_INSTRUCTIONS];
  try {
    const { trusted, isHeard = trusted } = scope();
    const place = { workspace: session.metadata.workspace, isHeard };
    if (!toolSource?.instructionsFor) throw new EngineError('not-found', 'Scripts cannot run here.');
    return `# Your instructions\n${await toolSource.instructionsFor(place, toolUser(agent, variables), signal)}`;
  } catch (error) {
    if (isAbort(error)) throw error;
    const text = `${agent.name}: its script could not create its instructions, so those in its file are used: ${errorText(error)}`;
    emitter.emit({ type: 'notice', level: 'warning', text });
    return undefined;
  }
}
