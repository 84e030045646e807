import { type AuthorizationQuestion, authorize, type Authorizer } from '../permissions/authorize';
import type { EditedProposal, FileChange, RuleOffer } from '../permissions/approvalHandler';
import { defaultRuleset } from '../permissions/defaultRuleset';
import { judgeQuery } from '../permissions/judgeQuery';
import { namesHost } from '../permissions/namesHost';
import type { Rulesets } from '../permissions/permissionRule';
import { scopeRules } from '../permissions/workspaceScope';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import { errorText } from '../../base/errorText';
import { newId } from '../../base/newId';
import { untilAborted } from '../../base/abort';
import type { Question } from '../events/question';
import { withCheckpoint } from '../sessions/fileCheckpoints';
import { fileDiff } from '../tools/files/fileDiff';
import type { ParsedCall } from '../tools/parseToolCall';
import type { ToolContext } from '../tools/toolContext';
import type { RunContext } from './runContext';

/** Previews, authorizes and runs one checked call. Throws what the tool throws, and AbortError when cancelled. */
export async function runToolCall(
  context: RunContext,
  call: ToolCall,
  { tool, bound }: ParsedCall,
): Promise<ToolResult> {
  const { emitter, ports, session, signal } = context;
  const { category } = tool;
  emitter.emit({ type: 'tool-prepared', callId: call.id, tool: tool.name, category, title: bound.title });
  const toolContext = contextFor(context, call);
  const change = await bound.preview?.(toolContext);
  const allowed = await authorizeCall(context, call, { tool, bound }, change ?? null);
  if (allowed.kind === 'refused') return refusedResult(call, allowed.text);
  const began = ports.clock.now();
  await session.toolStarted(call.id);
  emitter.emit({ type: 'state-changed', state: 'running-tool' });
  emitter.emit({ type: 'tool-started', callId: call.id });
  const approved = change && editedChange(change, allowed);
  const { output, stopped } = await context.stops.during(call.id, signal, async (own) => {
    const run = () => bound.run({ ...toolContext, signal: own, ...(approved && { change: approved }) });
    const work = approved ? withCheckpoint(session, approved.path, ports, run) : run();
    return { output: await untilAborted(work, signal), stopped: own.aborted };
  });
  return {
    callId: call.id,
    name: call.name,
    status: stopped ? 'cancelled' : 'ok',
    text: output.text,
    ...(output.images && { images: [...output.images] }),
    detail: output.detail ?? null,
    durationMs: ports.clock.now() - began,
  };
}

async function authorizeCall(context: RunContext, call: ToolCall, { bound }: ParsedCall, change: FileChange | null) {
  const { session, emitter, ports, signal, shell } = context;
  const { folders } = context.scope();
  const places = { workspace: context.workspace, folders, sessionFolder: session.folder, shell };
  const query = await judgeQuery(bound.permission, places, ports);
  const question: AuthorizationQuestion = {
    query,
    sessionId: session.id,
    callId: call.id,
    agent: context.agent,
    title: bound.title,
    change,
    diff: change && fileDiff(change),
  };
  const authorizer: Authorizer = {
    policy: context.policy,
    rulesets: () => currentRulesets(context),
    handler: context.approvals,
    turns: context.approvalTurns,
    remember: (offer) => rememberRules(context, offer),
    onDecision: (decision) => context.audit.record(context.runId, question, decision),
    onRequest: (request) => {
      emitter.emit({ type: 'state-changed', state: 'waiting-for-approval' });
      emitter.emit({ type: 'approval-requested', request });
    },
    onAnswer: (request, answer) => emitter.emit({ type: 'approval-answered', requestId: request.id, answer }),
  };
  return authorize(question, authorizer, signal);
}

async function currentRulesets(context: RunContext): Promise<Rulesets> {
  const { user, workspace } = await context.permissions.rulesFor(context.workspace);
  const global = defaultRuleset(context.approvalMode());
  // What the folder's trust forbids comes last in the first scope, so that no rule of the person overrides it.
  return {
    user: [...user, ...scopeRules(context.scope())],
    session: context.session.rules,
    workspace,
    agent: context.agentRules,
    global,
  };
}

/** What cannot be kept is said and holds for this call only; the person did allow it. */
async function rememberRules(context: RunContext, { scope, rules, label }: RuleOffer): Promise<void> {
  const { session, permissions, workspace, emitter } = context;
  if (scope === 'session') {
    for (const rule of rules) await session.addRule(rule);
    return;
  }
  try {
    await permissions.add(scope, workspace, rules);
  } catch (error) {
    const text = `“Always allow ${label}” could not be kept, so it will be asked again. ${errorText(error)}`;
    emitter.emit({ type: 'notice', level: 'warning', text });
  }
}

function editedChange(change: FileChange, { contents, basedOn }: EditedProposal): FileChange {
  if (contents === undefined) return change;
  return { ...change, before: basedOn ?? change.before, after: contents, proposed: change.after };
}

function refusedResult(call: ToolCall, text: string): ToolResult {
  return { callId: call.id, name: call.name, status: 'rejected', text, detail: { kind: 'text', text }, durationMs: 0 };
}

function contextFor(context: RunContext, call: ToolCall): ToolContext {
  const { session, emitter, ports, signal, agent } = context;
  return {
    signal,
    workspace: context.workspace,
    sessionId: session.id,
    agent,
    callId: call.id,
    todos: session.todos,
    report: (chunk) => emitter.emit({ type: 'tool-progress', callId: call.id, chunk }),
    ask: (question) => ask(context, call.id, question),
    saveOutput: async (text) => {
      const path = outputPath(context);
      await ports.files.writeFile(path, new TextEncoder().encode(text));
      return path;
    },
    namesHost: async (tool, host) =>
      namesHost({ tool, category: 'network', host }, context.policy, await currentRulesets(context)),
    openOutput: async () => {
      const path = outputPath(context);
      await ports.files.writeFile(path, new Uint8Array());
      return { path, append: (text) => ports.files.appendFile(path, text) };
    },
  };
}

function outputPath({ session, ports }: RunContext): string {
  return ports.paths.resolve(session.folder, 'outputs', `${newId('output')}.txt`);
}

async function ask(context: RunContext, callId: string, asked: Pick<Question, 'question' | 'kind' | 'options'>) {
  const { session, emitter, agent, signal } = context;
  const question = { id: newId('question'), sessionId: session.id, callId, agent, ...asked };
  emitter.emit({ type: 'state-changed', state: 'waiting-for-answer' });
  emitter.emit({ type: 'question-asked', question });
  const answer = await context.prompter.ask(question, signal);
  emitter.emit({ type: 'question-answered', questionId: question.id, answer });
  return answer;
}
