import { untilAborted } from '../../../base/abort';
import type { Clock } from '../../ports';
import { lazyClient } from '../llmClient';
import type { ListedModel } from '../model';
import { type Provider, type ProviderSettings, wayOf } from '../provider';
import { USUAL_QUIRKS } from '../sdk/chat/chatQuirks';
import { KeptAnswers, noModels } from './askServer';
import type { CompatibleHost } from './compatibleHosts';

const KEEP_LIST_MS = 5 * 60_000;

/** Returns the provider for a host in the table, or for the user's own server. */
export function openaiCompatibleProvider(
  host: CompatibleHost,
  settings: ProviderSettings,
  clock: Pick<Clock, 'now'>,
): Provider {
  const quirks = { ...USUAL_QUIRKS, ...host.quirks };
  const needsKey = !host.local;
  const lists = new KeptAnswers<readonly ListedModel[]>(clock, KEEP_LIST_MS);
  let problem: string | undefined;
  const key = async () => (await settings.apiKey())?.trim() ?? '';
  const isReady = async () => (needsKey ? (await key()) !== '' : settings.baseUrl !== undefined);
  return {
    id: host.id,
    label: host.label,
    needsKey,
    assumes: () => host.abilities ?? {},
    isReady,
    async listModels(signal) {
      const baseUrl = settings.baseUrl ?? host.baseUrl;
      if (baseUrl === null || !(await isReady())) return [];
      const address = { provider: host.id, baseUrl, key: await key() };
      // Called without the signal, because others may be waiting for the same list. It has its own timeout.
      const ask = async () => {
        problem = undefined;
        const { serverModels } = await import('./serverModels');
        return serverModels(address, new AbortController().signal, settings.fetch, (why) => {
          problem = noModels(host.label, why);
        });
      };
      const list = lists.get(JSON.stringify(address), ask);
      return untilAborted(list, signal).catch(() => []);
    },
    listProblem: () => problem,
    client: (model) => {
      const target = {
        label: host.label,
        baseUrl: settings.baseUrl ?? host.baseUrl ?? '',
        keyVariable: host.keyVariable,
        ...wayOf(settings),
      };
      return lazyClient(async () => {
        const { openaiChat, thinkTags } = await import('../sdkClients');
        return thinkTags(openaiChat({ ...target, model, needsKey, quirks }));
      });
    },
  };
}
