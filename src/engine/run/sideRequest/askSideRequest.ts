import { estimateMessage } from '../../context/estimateTokens';
import { askOnce, type OneQuestion } from '../../llm/askOnce';
import type { ResolvedModel } from '../../llm/providerRegistry';
import { type Usage, userMessage } from '../../messages/message';
import type { RunTeam } from '../runTeam';
import type { LimitReached } from '../stopConditions';
import { countReply, keepSideUsage, reportedBy, type SideUsagePlace } from './requestUsage';

/** Where it is asked, and who pays. */
export interface SideRequestPlace extends SideUsagePlace {
  team: Pick<RunTeam, 'spending'>;
}

/**
 * One question that is no part of the conversation. What it uses counts for the agent, is kept with the session and told.
 * Gives the limit that is reached instead of an answer. Rejects like `askOnce`.
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
