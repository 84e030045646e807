import { Emitter } from '../../base/disposable';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { AgentEvent } from '../events/agentEvent';
import { ScopedEmitter } from '../events/scopedEmitter';
import type { Clock } from '../ports';
import { callableTargets } from '../team/targetChooser';
import { equipAgent, type EquipParts, type EquippedSession, type EquipWith } from './equipAgent';

/** What an agent is given with its first request. */
export interface EffectivePrompt {
  prompt: string;
  tools: readonly { name: string; description: string }[];
  /** `provider:model`. */
  model: string;
}

interface PreviewParts extends EquipParts {
  agents: { list(): Promise<readonly AgentDefinition[]> };
  ports: EquipParts['ports'] & { clock: Clock };
}

/** Builds what a run would start with. Runs, asks, and stores nothing; variables without a value stay as written. */
export async function effectivePrompt(
  parts: PreviewParts,
  { plan, session, tools, place, workMode }: Pick<EquipWith, 'plan' | 'session' | 'tools' | 'place' | 'workMode'>,
): Promise<EffectivePrompt> {
  const { clock } = parts.ports;
  const targets = callableTargets(plan.agent, await parts.agents.list(), { headless: false });
  const promptAndTools = await equipAgent(parts, {
    plan,
    tools,
    place,
    workMode,
    variables: plan.variables.values,
    now: clock.now(),
    session: withoutKeeping(session),
    emitter: unheard(clock),
    team: { targets, isChild: false, atBottom: plan.agent.spawning.maxDepth < 1 },
  });
  const offered = promptAndTools.tools.offered.map(({ name, description }) => ({ name, description }));
  return { prompt: promptAndTools.system, tools: offered, model: plan.modelId };
}

/** Returns a copy of the session whose changes are discarded. */
function withoutKeeping({ metadata, messages, told }: EquippedSession): EquippedSession {
  const copy = {
    metadata,
    messages,
    told,
    note: () => Promise.resolve(),
    tell: () => Promise.resolve(),
    add: () => Promise.resolve(),
    configure(changes: Partial<EquippedSession['metadata']>) {
      copy.metadata = { ...copy.metadata, ...changes };
      return Promise.resolve();
    },
  };
  return copy;
}

function unheard(clock: Clock): ScopedEmitter {
  const nobody = new Emitter<AgentEvent>(() => undefined);
  return new ScopedEmitter(nobody, { runId: '', sessionId: '', agentPath: [] }, clock);
}
