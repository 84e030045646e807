import compactionPrompt from '../../../../assets/prompts/compaction.md';
import { truncateMiddle } from '../../../base/truncate';
import { chooseKeptFrom, compactionText, hasUnsummed } from '../../context/compaction';
import { charactersOf, estimateMessages, estimateRequest, estimateText } from '../../context/estimateTokens';
import { type PinnedWords, pinnedWords } from '../../context/pinnedWords';
import { prunedMessage } from '../../context/prunedView';
import type { RunOutcome } from '../../events/runOutcome';
import { type CollectedReply, collectReply } from '../../llm/collectReply';
import type { LlmRequest } from '../../llm/llmClient';
import { withoutTools } from '../../llm/middleware/respectAbilities';
import { type Message, textOf, toolCallsOf, userMessage } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import { toolSpecs } from '../../tools/toolSpecs';
import { countReply, keepSideUsage, reportedBy } from '../requestUsage';
import type { Conversation, RunPlace } from '../runContext';
import type { LimitReached } from '../stopConditions';
import { tellWaits } from '../tellWaits';
import { conversationRoom, requestSize } from './conversationRoom';

/** Shares of the available room for a summary request that had to be cut, tried in order as long as the model finds it too long. */
const SHARES = [0.9, 0.45, 0.2];

/** The share of that room for a single user message or an earlier summary. */
const SHARE_OF_ONE = 0.25;

/** A summary of this many tokens, which is a little more than the prompt allows, is never too long. */
const SHORT_SUMMARY = 2_500;
/** The share of the available room for a longer one. */
const SHARE_OF_SUMMARY = 0.25;

interface SummarizedEntries {
  /** The whole conversation, as it was sent. */
  whole: readonly Message[];
  /** The part to summarize. */
  older: readonly Message[];
}

/** A planned compaction: what a summary would replace and what would be kept. */
interface PlannedCompaction {
  whole: readonly Message[];
  older: readonly Message[];
  kept: readonly Message[];
  pinned: PinnedWords;
}

/**
 * Decides where to split the conversation so that, if possible, at most `keepTokens` remain after the split. Undefined if there
 * is nothing to summarize.
 */
export function planCompaction(context: RunPlace, keepTokens: number, pinnedTokens: number) {
  const whole = repairTranscript(context.session.context);
  const first = chooseKeptFrom(whole, keepTokens);
  if (!first) return undefined;
  const at = whole.indexOf(first);
  const pinned = pinnedBefore(context, first.id, pinnedTokens);
  const planned = { whole, older: whole.slice(0, at), kept: whole.slice(at), pinned };
  return hasUnsummed(planned.older, planned.pinned) ? planned : undefined;
}

/** Has the model summarize the older part of the conversation. Resolves to false if it fails to; the conversation is then unchanged. */
export async function compactSession(context: Conversation, planned: PlannedCompaction): Promise<boolean> {
  const { emitter } = context;
  const [first] = planned.kept;
  if (!first) return false;
  emitter.emit({ type: 'session-compressing' });
  const summary = await askForSummary(context, planned);
  if (summary === undefined) return false;
  await keepSummary(context, summary, { keptFrom: first.id, pinned: planned.pinned });
  return true;
}

/** Sets the mark: the summary replaces everything before `keptFrom`, along with what must be preserved word for word. */
export async function keepSummary(
  { session, emitter, ports }: RunPlace,
  summary: string,
  { keptFrom, pinned }: { keptFrom: string; pinned: PinnedWords },
): Promise<void> {
  const text = compactionText(summary, pinned, session.todos.items);
  await session.compact({ text, keptFrom, time: ports.clock.now() });
  emitter.emit({ type: 'session-compressed', text });
}

/** Returns the user's words before a message, for preservation. */
export function pinnedBefore({ session }: RunPlace, id: string, tokens: number): PinnedWords {
  const at = session.messages.findIndex((message) => message.id === id);
  return pinnedWords(session.messages.slice(0, at), tokens);
}

/** Uses the conversation's own prompt and tools, so that the vendor's cache applies. */
async function askForSummary(context: Conversation, planned: PlannedCompaction): Promise<string | undefined> {
  const { system, tools } = context.promptAndTools;
  const wish = userMessage(compactionPrompt.trim(), context.ports.clock.now(), true);
  const asking = (messages: readonly Message[]) => [...context.promptAndTools.converse(messages), wish];
  const { room } = conversationRoom(context).window;
  const size = (messages: readonly Message[]) => requestSize(context, asking(messages));
  const most = Math.max(SHORT_SUMMARY, Math.min(estimateMessages(planned.older), room * SHARE_OF_SUMMARY));
  for (const messages of summaryRequests(planned, room, size)) {
    const reply = await ask(context, { system, tools: toolSpecs(tools), messages: asking(messages) });
    // A model that calls tools despite being told not to is asked once more without any.
    const isCall = !('kind' in reply) && !reply.failure && toolCallsOf(reply.message).length > 0;
    const last = isCall
      ? await ask(context, { system: '', tools: [], messages: withoutTools(asking(messages)) })
      : reply;
    // The limit that was reached also applies to the next turn, which reports it.
    if ('kind' in last) return undefined;
    const summary = summaryOf(last, most);
    if (summary !== undefined) return summary;
    if (last.failure && last.failure.reason !== 'context-overflow') return undefined;
  }
  return undefined;
}

/**
 * Returns the summary if it is usable. A truncated one is not, since it would be all that remains of the work, nor is one of more
 * than `most` tokens, after which the next summary would soon be due.
 */
function summaryOf({ message, failure }: CollectedReply, most: number): string | undefined {
  const text = textOf(message).trim();
  if (failure || message.finish === 'length' || message.finish === 'refusal' || text === '') return undefined;
  return estimateText(text) > most ? undefined : text;
}

async function ask(
  context: Conversation,
  asked: Pick<LlmRequest, 'system' | 'tools' | 'messages'>,
): Promise<CollectedReply | LimitReached> {
  const { client, emitter, gauge, model, ports, session, signal, team } = context;
  const inputTokens = () => gauge.correct(estimateRequest(asked.system, asked.tools, asked.messages));
  const reply = await team.spending.request(
    { model, inputTokens },
    async (count) => {
      const header = { agent: context.agent, model: model.id, time: ports.clock.now() };
      const request = { ...asked, cacheKey: session.id, ...context.sampling };
      const collected = await collectReply(client.stream(request, signal), header, (event) => {
        if (event.type === 'notice') tellWaits(emitter)(event);
      });
      countReply(collected, inputTokens, count);
      return collected;
    },
    signal,
  );
  if ('kind' in reply) return reply;
  for (const usage of reportedBy(reply)) await keepSideUsage(context, model, usage);
  return reply;
}

/**
 * Yields the messages to summarize from, best first: the whole conversation, which the vendor has cached; the part to be
 * summarized; and ever shorter cuts of it, in case even that is more than the model can read. `size` measures a request with
 * these messages.
 */
function* summaryRequests(
  { whole, older }: SummarizedEntries,
  room: number,
  size: (messages: readonly Message[]) => number,
): Generator<readonly Message[]> {
  if (size(whole) <= room) yield whole;
  if (size(older) <= room) yield older;
  for (const share of SHARES) yield cutToFit(older, room * share, size);
}

/** Removes the bulk of calls and of long messages, then the oldest rounds after the beginning. */
function cutToFit(
  older: readonly Message[],
  room: number,
  size: (messages: readonly Message[]) => number,
): readonly Message[] {
  const most = charactersOf(room * SHARE_OF_ONE);
  const short = older.map((message) => shortened(prunedMessage(message), most));
  const begins = short.findIndex((message, index) => index > 0 && message.role === 'assistant');
  if (begins < 0) return short;
  const head = short.slice(0, 1);
  let rest = short.slice(begins);
  while (size([...head, ...rest]) > room) {
    const next = rest.findIndex((message, index) => index > 0 && message.role !== 'tool');
    if (next < 0) break;
    rest = rest.slice(next);
  }
  return [...head, ...rest];
}

function shortened(message: Message, most: number): Message {
  if (message.role !== 'user') return message;
  const parts = message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: truncateMiddle(part.text, most).text } : part,
  );
  return { ...message, parts };
}

const NOTHING = 'Nothing to compact yet: there is only the latest exchange.';
const NO_SUMMARY =
  'The model returned no summary, so the conversation is unchanged. Try again, or choose another model.';

/** Summarizes everything but the last exchange at the user's request, whether or not there is still room. */
export async function compactNow(context: Conversation): Promise<RunOutcome> {
  const { emitter, signal } = context;
  const planned = planCompaction(context, 0, conversationRoom(context).pinned);
  if (!planned) {
    emitter.emit({ type: 'notice', level: 'info', text: NOTHING });
    return { kind: 'completed', answer: '' };
  }
  const done = await compactSession(context, planned);
  if (signal.aborted) return { kind: 'cancelled' };
  if (!done) emitter.emit({ type: 'notice', level: 'warning', text: NO_SUMMARY });
  return { kind: 'completed', answer: '' };
}
