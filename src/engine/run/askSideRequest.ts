import { estimateMessage } from '../context/estimateTokens';
import { askOnce, type OneQuestion } from '../llm/askOnce';
import type { ResolvedModel } from '../llm/providerRegistry';
import { type Usage, userMessage } from '../messages/message';
import { countReply, keepSideUsage, reportedBy, type SideUsagePlace } from './requestUsage';
import type { RunTeam } from './runContext';
import type { LimitReached } from './stopConditions';

/** Where a side request is made, and who pays for it. */
interface SideRequestPlace extends SideUsagePlace {
  team: Pick<RunTeam, 'spending'>;
}

/**
 * Asks a question outside the conversation. Its usage counts for the agent, is stored with the session, and is reported. Returns
 * the limit that was reached, if any, instead of an answer. Rejects as `askOnce` does.
 */
export async function askSideRequest(
  context: SideRequestPlace,
  asked: Pick<ResolvedModel, 'model' | 'client'>,
  question: OneQuestion,
  signal: AbortSignal,
): Promise<string | LimitReached> {
  const { model } = asked;
  let used: readonly Usage[] = [];
  const inputTokens = () => estimateMessage(userMessage(question.system + question.text, 0, false));
  try {
    return await context.team.spending.request(
      { model, inputTokens },
      (count) =>
        askOnce(asked, question, signal, (reply) => {
          used = reportedBy(reply);
          countReply(reply, inputTokens, count);
        }),
      signal,
    );
  } finally {
    for (const usage of used) await keepSideUsage(context, model, usage);
  }
}
