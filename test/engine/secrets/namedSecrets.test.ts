import assert from 'node:assert/strict';
import type { SecretStore } from '../../../src/engine';
import { KnownSecrets } from '../../../src/engine/secrets/knownSecrets';
import { isSecretName, nameOfStored, storedName } from '../../../src/engine/secrets/secretNames';
import { namedSecrets, resolveSecrets } from '../../../src/engine/secrets/secretPlaceholders';

/** A store that others can change, as another window does. */
class SharedStore implements SecretStore {
  readonly kept = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  get(name: string) {
    return Promise.resolve(this.kept.get(name));
  }

  names() {
    return Promise.resolve([...this.kept.keys()].filter((name) => nameOfStored(name) !== undefined));
  }

  onChange(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  change(name: string, value: string) {
    this.kept.set(name, value);
    for (const tell of this.listeners) tell();
  }
}

describe('A secret with a user-defined name', () => {
  it('replaces its name in configuration, and an API key does not', async () => {
    const store = new SharedStore();
    store.kept.set(storedName('TOKEN'), 'Zq7Wx9KvJy4Bn2Rt8Lp5').set('apiKey.openai', 'key-of-the-provider');
    assert.deepEqual(await resolveSecrets('{{TOKEN}} {{apiKey.openai}}', namedSecrets(store)), {
      text: 'Zq7Wx9KvJy4Bn2Rt8Lp5 {{apiKey.openai}}',
      missing: ['apiKey.openai'],
    });
  });

  it('is masked before anything requests it', async () => {
    const store = new SharedStore();
    store.kept.set(storedName('TOKEN'), 'Zq7Wx9KvJy4Bn2Rt8Lp5');
    const known = new KnownSecrets(store);
    await known.ready();
    assert.equal(known.strike('It is Zq7Wx9KvJy4Bn2Rt8Lp5.'), 'It is •••.');
  });

  it('is masked once another window saves it, and its old value stays masked', async () => {
    const store = new SharedStore();
    const known = new KnownSecrets(store);
    await known.ready();
    store.change(storedName('TOKEN'), 'first-Zq7Wx9KvJy4B');
    await known.ready();
    store.change(storedName('TOKEN'), 'second-n2Rt8Lp5Qs');
    await known.ready();
    assert.equal(known.strike('first-Zq7Wx9KvJy4B second-n2Rt8Lp5Qs'), '••• •••');
  });

  it('does not prevent others from being masked when the store cannot list its names', async () => {
    const known = new KnownSecrets({
      get: (name) => Promise.resolve(name === 'apiKey.openai' ? 'key-of-the-provider' : undefined),
      names: () => Promise.reject(new Error('The keyring is locked.')),
    });
    await known.ready();
    assert.equal(known.strike('key-of-the-provider'), '•••');
  });

  it('has a single-line name that fits between braces', () => {
    for (const name of ['A', 'DEPLOY_TOKEN', 'AZURE-KEY', 'of the shop', 'ключ', 'x'.repeat(200)])
      assert.ok(isSecretName(name), name);
    for (const name of ['', ' A', 'A ', 'a{b', 'a}b', 'a\nb', 'a\u202eb', 'x'.repeat(201)])
      assert.ok(!isSecretName(name), JSON.stringify(name));
  });
});
