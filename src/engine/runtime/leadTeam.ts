import { Mutex } from '../../base/async';
import { newId } from '../../base/newId';
import { workModeOf } from '../permissions/modes';
import type { Ports } from '../ports';
import { askSideRequest } from '../run/askSideRequest';
import type { RunRequest } from '../run/runRequest';
import { tellWaits } from '../run/tellWaits';
import type { AgentSession } from '../sessions/agentSession';
import { Escalations } from '../team/escalations';
import { TeamMember, type TeamMemberParts } from '../team/teamMember';
import type { TeamShared } from '../team/teamShared';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import type { RunPlan } from './runPlan';
import type { BegunRun, OpenRun, PlannedRun } from './runStages';

/** Creates the agent's place in its team, between the agents it may start and its ancestors. */
export function leadTeam(
  parts: AgentRuntimeParts,
  begun: BegunRun,
  { session, emitter, middleware }: OpenRun,
  planned: PlannedRun,
  start: TeamMemberParts['start'],
): TeamMember {
  const { id, request, emitter: all, lineage, abort, startedAt } = begun;
  const { agents, sessions, providers, ports } = parts;
  const { plan, resolved, variables, limits, prompter } = planned;
  const { summaryModel } = plan.agent.spawning;
  const summaryBy = () => (summaryModel === undefined ? resolved : middleware.around(providers.resolve(summaryModel)));
  const team = new TeamMember({
    leader: {
      agent: plan.agent,
      session,
      variables,
      limits,
      startedAt,
      hidden: { metadata: session.metadata.own, ...(request.resources && { resources: request.resources }) },
      signal: abort.signal,
      emitter,
      forward: (event) => all.emit(event),
      sessions,
      clock: ports.clock,
      log: ports.log,
      summary: {
        ask: async (question, signal) => {
          const asked = { ...question, onNotice: tellWaits(emitter) };
          const answer = await askSideRequest({ session, emitter, team }, summaryBy(), asked, signal);
          return typeof answer === 'string' ? answer : undefined;
        },
        save: (text) => saveText(session, ports, text),
      },
    },
    modelId: plan.modelId,
    path: [...(lineage?.parent.path ?? []), plan.agent.name],
    // A turn limit in an agent's file applies to that agent only.
    turnsOfAll: lineage ? undefined : request.limits?.turns,
    lineage,
    shared: lineage?.parent.shared ?? sharedBy(session, id, request, plan),
    agents: () => agents.list(),
    prompter,
    start,
  });
  return team;
}

/** Returns what all agents share in a run started by the user or a program. */
function sharedBy(session: AgentSession, runId: string, request: RunRequest, { agent }: RunPlan): TeamShared {
  return {
    escalations: new Escalations(),
    approvalTurns: new Mutex(),
    session,
    runId,
    approvalMode: () => request.approvalMode ?? session.metadata.approvalMode,
    workMode: () => workModeOf(request, session, agent),
  };
}

/** Saves a text among a session's outputs and returns its absolute path. */
async function saveText({ folder }: AgentSession, { files, paths }: Ports, text: string): Promise<string> {
  const path = paths.resolve(folder, 'outputs', `${newId('answer')}.txt`);
  await files.writeFile(path, new TextEncoder().encode(text));
  return path;
}
