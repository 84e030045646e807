import { newId } from '../../base/newId';
import type { Question, QuestionAnswer } from '../events/question';
import type { ToolCall } from '../messages/toolCall';
import { excludedPaths, namesHost } from '../permissions/toolPolicy';
import type { ToolContext } from '../tools/toolContext';
import { currentRulesets } from './currentRulesets';
import type { Calling, RunPlace } from './runContext';

/** Returns the context a tool is called with. */
export function toolContextFor(context: Calling, call: ToolCall): ToolContext {
  const { session, emitter, ports, signal, agent } = context;
  const { runId, parentSessionId, metadata, resources } = context.hidden;
  const strike = ports.strike ?? ((text: string) => text);
  return {
    runId,
    parentSessionId,
    metadata,
    resources,
    turn: context.progress.turn,
    signal,
    workspace: context.workspace,
    sessionId: session.id,
    agent,
    callId: call.id,
    todos: session.todos,
    seen: session.seen,
    looking: context.looking,
    skills: context.promptAndTools.skills,
    team: context.team.desk,
    strike,
    report: (chunk) => emitter.emit({ type: 'tool-progress', callId: call.id, chunk }),
    ask: (question, own) => askPerson(context, call.id, question, own),
    saveOutput: async (text) => {
      const path = outputPath(context);
      await ports.files.writeFile(path, new TextEncoder().encode(strike(text)));
      return path;
    },
    untilSent: (begin, own) => context.sent.around(call.id, own, begin),
    namesHost: async (tool, host) =>
      namesHost({ tool, category: 'network', host }, context.policy, await currentRulesets(context)),
    hostVerdict: async (tool, host) => {
      const query = { tool, category: 'network' as const, host, paths: [] };
      const asked = { query, input: {}, agent, sessionId: session.id };
      return context.policy.decide(query, await currentRulesets(context, asked));
    },
    excludedBelow: (folder) => excludedBelow(context, folder),
    openOutput: async () => {
      const path = outputPath(context);
      await ports.files.writeFile(path, new Uint8Array());
      return { path, append: (text) => ports.files.appendFile(path, strike(text)) };
    },
  };
}

/** Rules for reading a file count as well, because a search returns what is in it. */
async function excludedBelow(context: Calling, folder: string): Promise<((path: string) => boolean) | undefined> {
  const { policy, ports, workspace } = context;
  const tools = ['fs_grep', 'fs_read'].map((tool) => ({ tool, category: 'read' as const }));
  const excluded = excludedPaths(tools, policy, await currentRulesets(context));
  if (!excluded) return undefined;
  const [home, real] = await Promise.all([ports.files.realPath(workspace), ports.files.realPath(folder)]);
  return (below) => {
    const path = ports.paths.resolve(real, below);
    return excluded({ path, relative: ports.paths.relative(home, path), outside: false });
  };
}

function outputPath({ session, ports }: RunPlace): string {
  return ports.paths.resolve(session.folder, 'outputs', `${newId('output')}.txt`);
}

/** Asks the user, or the agent's ancestors, and notifies listeners. Rejects only with AbortError. */
export async function askPerson(
  context: RunPlace,
  callId: string,
  asked: Pick<Question, 'question' | 'kind' | 'options' | 'server'>,
  own?: AbortSignal,
): Promise<QuestionAnswer> {
  const { session, emitter, agent } = context;
  const signal = own ? AbortSignal.any([context.signal, own]) : context.signal;
  const question = { id: newId('question'), sessionId: session.id, callId, agent, ...asked };
  emitter.emit({ type: 'state-changed', state: 'waiting-for-answer' });
  emitter.emit({ type: 'question-asked', question });
  const answered = (answer: QuestionAnswer) =>
    emitter.emit({ type: 'question-answered', questionId: question.id, answer });
  try {
    const answer = await context.team.ask(question, signal);
    answered(answer);
    return answer;
  } catch (error) {
    // The run continues, and nothing is waiting for the answer.
    if (own?.aborted) answered({ kind: 'nobody' });
    throw error;
  }
}
