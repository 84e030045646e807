import { askOnce, type OneQuestion } from '../llm/askOnce';
import { costOf } from '../llm/model';
import type { ResolvedModel } from '../llm/providerRegistry';
import type { Usage } from '../messages/message';
import type { Ports } from '../ports';
import { reportedBy } from '../run/requestUsage';
import { addUsage, emptyRecord, UsageLog } from './usageLog';

/** Where usage is recorded, and to whom it is attributed. */
interface UsageRecordPlace extends Pick<Ports, 'clock' | 'files' | 'paths' | 'log'> {
  /** Absolute path of the configuration folder. */
  folder: string;
  /** Absolute path of the workspace that the question is about. */
  workspace: string;
  agent: string;
}

/** Like `askOnce`, for a question outside any run; usage is recorded even if there is no answer. */
export async function askRecorded(
  asked: Pick<ResolvedModel, 'model' | 'client'>,
  question: OneQuestion,
  place: UsageRecordPlace,
  signal: AbortSignal,
): Promise<string> {
  let used: readonly Usage[] = [];
  try {
    return await askOnce(asked, question, signal, (reply) => (used = reportedBy(reply)));
  } finally {
    const { model } = asked;
    const record = emptyRecord({
      time: place.clock.now(),
      folder: place.workspace,
      agent: place.agent,
      model: model.id,
    });
    for (const usage of used) addUsage(record, usage, costOf(usage, model));
    if (record.requests > 0) await new UsageLog(place.folder, place).keep([record]);
  }
}
