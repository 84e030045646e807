import type { ToolCall } from '../messages/toolCall';
import type { FileChange } from '../permissions/approvalHandler';
import type { AuthorizationQuestion } from '../permissions/authorize';
import { judgeQuery } from '../permissions/judgeQuery';
import { fileDiff } from '../tools/files/fileDiff';
import type { ParsedCall } from '../tools/parseToolCall';
import type { BoundCall } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import type { RunContext } from './runContext';
import { toolContextFor } from './toolContextFor';

/** A call of which it is known what it would do. */
export interface PreparedCall {
  call: ToolCall;
  bound: BoundCall;
  toolContext: ToolContext;
  change: FileChange | null;
  question: AuthorizationQuestion;
}

/** Previews a checked call and judges what it would touch. Throws what the preview throws. */
export async function prepareCall(
  context: RunContext,
  call: ToolCall,
  { tool, bound }: ParsedCall,
): Promise<PreparedCall> {
  const { emitter, ports, session, shell, agent } = context;
  const { category } = tool;
  emitter.emit({ type: 'tool-prepared', callId: call.id, tool: tool.name, category, title: bound.title });
  const toolContext = toolContextFor(context, call);
  const change = (await bound.preview?.(toolContext)) ?? null;
  const { folders } = context.scope();
  const readable = [session.folder, ...(await context.equipment.skills.ownFolders())];
  const places = { workspace: context.workspace, folders, readable, shell };
  const query = await judgeQuery(bound.permission, places, ports);
  const who = { sessionId: session.id, callId: call.id, agent, title: bound.title };
  return { call, bound, toolContext, change, question: { query, ...who, change, diff: change && fileDiff(change) } };
}
