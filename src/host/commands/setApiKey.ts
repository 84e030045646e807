import { t } from '../../base/l10n';
import { type LlmFailure, PROVIDER_KEYS } from '../../engine';
import type { Command, Host } from '../host';
import { askSecret } from '../shown/askText';
import { notify, withCancel } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import { KEY_PAGES } from './keyPages';

const PROVIDERS = PROVIDER_KEYS.map(({ id, label, needed }) => ({
  id,
  label,
  description: needed ? '' : t('works without a key too'),
}));
type ProviderItem = (typeof PROVIDERS)[number];

const TRY_MS = 30_000;

/** Asks for a key, tests it, and stores it in the editor's secret storage and nowhere else. */
export function setApiKey(host: Host): Command {
  return {
    async run(argument) {
      const wished = typeof argument === 'string' ? argument.split(':', 1)[0] : undefined;
      const provider =
        PROVIDERS.find(({ id }) => id === wished) ?? (await pickRow(PROVIDERS, { title: t('Which provider?') }));
      while (provider && (await askAndTry(host, provider))) {
        // Ask for another key.
      }
      host.panels.backToPanel();
    },
  };
}

/** Returns true if the provider refused the key and the user wants to try another. */
async function askAndTry({ engine, secrets, chats, panels }: Host, provider: ProviderItem): Promise<boolean> {
  const key = await askForKey(provider);
  if (key === undefined) return false;
  const name = `apiKey.${provider.id}`;
  const before = (await secrets.kept(name)) ?? '';
  await secrets.set(name, key);
  const refusal = key === '' ? undefined : await refusalOf(engine, provider);
  if (refusal !== undefined) await secrets.set(name, before);
  panels.backToPanel();
  if (refusal === undefined) {
    if (key === '') void notify('info', t('{0} API key removed.', provider.label));
    await chats.defaultModelChanged();
    return false;
  }
  const choice = await notify(
    'error',
    t('API key not saved. {0}', refusal),
    { title: t('Try Another Key'), means: 'again' },
    { title: t('Save Anyway'), means: 'save' },
  );
  if (choice === 'save') {
    await secrets.set(name, key);
    await chats.defaultModelChanged();
  }
  return choice === 'again';
}

async function askForKey({ id, label }: ProviderItem): Promise<string | undefined> {
  const address = KEY_PAGES.get(id);
  const key = await askSecret(
    t('{0} API key', label),
    address === undefined
      ? t('The key is stored in the secret storage of the editor. Leave empty to remove it.')
      : t(
          'Get a key at {0}. The key is stored in the secret storage of the editor. Leave empty to remove it.',
          address.replace('https://', ''),
        ),
    address === undefined ? undefined : { address, tooltip: t('Open the page for {0} keys', label) },
  );
  return key?.trim();
}

/** The provider's reason for refusing the key; undefined if it accepts the key or if that cannot be determined. */
async function refusalOf(engine: Host['engine'], { id, label }: ProviderItem): Promise<string | undefined> {
  const found = await withCancel(t('Testing the {0} API key…', label), (signal) =>
    engine.tryProvider(id, AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)])),
  );
  const failure = typeof found === 'object' ? found : undefined;
  if (failure && isAboutKey(failure)) return failure.message;
  if (found === 'works') {
    void notify('info', t('Key works. {0} API key saved.', label));
  } else if (failure) {
    void notify('warning', t('{0} API key saved, but it could not be tested. {1}', label, failure.message));
  } else {
    void notify('warning', t('{0} API key saved, but it could not be tested.', label));
  }
  return undefined;
}

function isAboutKey({ reason }: LlmFailure): boolean {
  return reason === 'auth' || reason === 'no-key';
}
