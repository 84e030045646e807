import type { ToolCall } from '../messages/toolCall';
import type { FileDiff } from '../messages/toolResult';
import type { FileChange } from '../permissions/approvalHandler';
import type { AuthorizationQuestion } from '../permissions/authorize';
import { isOnServer, type JudgedPlaces, resolveQuery } from '../permissions/resolveQuery';
import type { ResolvedQuery, Verdict } from '../permissions/permissionRule';
import { struckDiff } from '../secrets/struckMessage';
import { TellableFailure } from '../tools/files/guard/tellableFailure';
import type { ParsedCall } from '../tools/parseToolCall';
import type { BoundCall } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import { ToolFailure } from '../tools/toolFailure';
import { currentRulesets } from './currentRulesets';
import type { Authorizing, Calling } from './runContext';
import { toolContextFor } from './toolContextFor';

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

export interface WithheldFailure {
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
