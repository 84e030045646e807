import { newId } from '../../base/newId';
import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { FileDiff, ToolCall } from '../messages/toolCall';
import type { FileChange } from '../permissions/approvalHandler';
import type { AuthorizationQuestion } from '../permissions/authorize';
import type { ResolvedQuery, Verdict } from '../permissions/permissionRule';
import { isOnServer, type JudgedPlaces, resolveQuery } from '../permissions/resolveQuery';
import { excludedPaths, namesHost } from '../permissions/toolPolicy';
import { struckDiff } from '../secrets/struckMessage';
import type { ParsedCall } from '../tools/parseToolCall';
import type { BoundCall } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import { TellableFailure } from '../tools/toolErrors';
import { ToolFailure } from '../tools/toolOutput';
import { type Authorizing, type Calling, currentRulesets, type RunPlace } from './runContext';

/** A call whose effects are known. */
export interface PreparedCall {
  call: ToolCall;
  bound: BoundCall;
  toolContext: ToolContext;
  change: FileChange | null;
  /**
   * Why the change cannot be made, where saying so would reveal something about a file that the model may not read without
   * asking. Reported only once the call has been allowed.
   */
  failure: WithheldFailure | null;
  question: AuthorizationQuestion;
}

interface WithheldFailure {
  /** For a model that the user has given access to the file. */
  told: unknown;
  /** For a model without that access: reveals nothing about the file's contents. */
  untold: ToolFailure;
}

type Preview = Pick<PreparedCall, 'change' | 'failure'>;

/**
 * Judges what a parsed call would touch, and previews it unless it is denied. Throws the preview's error if the model may read
 * the file anyway; otherwise the error is withheld, so that nothing about the file is revealed before a decision.
 */
export async function prepareCall(
  context: Calling,
  call: ToolCall,
  { tool, bound }: ParsedCall,
): Promise<PreparedCall> {
  const { emitter, session, agent, ports } = context;
  const { strike = (text: string) => text } = ports;
  const { category } = tool;
  emitter.emit({ type: 'tool-prepared', callId: call.id, tool: tool.name, category, title: bound.title });
  const toolContext = toolContextFor(context, call);
  const query = await judgedCall(context, bound);
  const { change, failure } = await previewed(context, bound, query, toolContext);
  const title = failure ? `${bound.title} (does not fit the file, so nothing would be written)` : bound.title;
  const who = { sessionId: session.id, callId: call.id, agent, title: strike(title) };
  const question = {
    query,
    input: bound.input,
    ...who,
    change,
    diff: change && struckDiff(await diffOf(change), strike),
  };
  return { call, bound, toolContext, change, failure, question };
}

/** The code that compares texts is loaded with the first change. */
async function diffOf(change: FileChange): Promise<FileDiff> {
  return (await import('../tools/files/fileDiff')).fileDiff(change);
}

/** Resolves what a call would touch at this moment, following links. */
export async function judgedCall(context: Authorizing, { permission }: BoundCall): Promise<ResolvedQuery> {
  return resolveQuery(permission, await placesOf(context), context.ports);
}

/** Returns the rules' verdict, before anyone is asked. */
export async function verdictOn(context: Authorizing, { input }: BoundCall, query: ResolvedQuery): Promise<Verdict> {
  const call = { query, input, agent: context.agent, sessionId: context.session.id };
  return context.policy.decide(query, await currentRulesets(context, call));
}

async function placesOf(context: Authorizing): Promise<JudgedPlaces> {
  const { session, workspace, shell, promptAndTools } = context;
  const readable = [session.folder, ...(await promptAndTools.skills.ownFolders())];
  return { workspace, folders: context.scope().folders, readable, shell };
}

async function previewed(
  context: Authorizing,
  bound: BoundCall,
  query: ResolvedQuery,
  toolContext: ToolContext,
): Promise<Preview> {
  if (!bound.preview) return { change: null, failure: null };
  const verdict = await verdictOn(context, bound, query);
  if (verdict.action === 'deny') return { change: null, failure: null };
  const remote = query.paths.find(({ path, outside }) => outside && isOnServer(path));
  if (remote) {
    const hint = 'Copy it into the workspace with execute_command, and change the copy.';
    throw new ToolFailure('failed', `${remote.path} is on a network server, where files are not changed. ${hint}`);
  }
  try {
    return { change: await bound.preview(toolContext), failure: null };
  } catch (error) {
    const reading = await readingVerdict(context, bound);
    if (reading === 'allow') throw error;
    const untold = new ToolFailure('failed', withheldText(bound.permission.paths ?? [], reading));
    // There is nothing for the user to decide: until the file has been read, the change is refused whoever allows it.
    if (error instanceof TellableFailure) throw reading === 'deny' ? untold : error;
    return { change: null, failure: { told: reading === 'ask' ? error : untold, untold } };
  }
}

type Action = 'allow' | 'ask' | 'deny';

/** Returns the strictest verdict on its files. */
async function readingVerdict(context: Authorizing, { permission }: BoundCall): Promise<Action> {
  const actions = await Promise.all((permission.paths ?? []).map((path) => readingOne(context, path)));
  return actions.find((one) => one === 'deny') ?? actions.find((one) => one === 'ask') ?? 'allow';
}

async function readingOne(context: Authorizing, path: string): Promise<Action> {
  const asked = { tool: 'fs_read', category: 'read' as const, paths: [path] };
  const query = await resolveQuery(asked, await placesOf(context), context.ports);
  const call = { query, input: { path }, agent: context.agent, sessionId: context.session.id };
  return context.policy.decide(query, await currentRulesets(context, call)).action;
}

function withheldText(paths: readonly string[], reading: 'ask' | 'deny'): string {
  const first = `The change does not fit ${paths.join(', ')}; nothing was written.`;
  return reading === 'deny'
    ? `${first} Reading it is not allowed, so nothing more can be said. Leave it, and say so.`
    : `${first} Its content is shown only once it may be read: call fs_read, which asks the user.`;
}

/** Returns the context a tool is called with. */
function toolContextFor(context: Calling, call: ToolCall): ToolContext {
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
