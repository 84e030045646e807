import assert from 'node:assert/strict';
import { SecretsOut } from '../../../src/node/import/secretsOut';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

describe('Secrets of other tools', () => {
  const taken = () => new SecretsOut().ofItem('notes');

  it('are removed from variables and headers, and nothing else is', () => {
    const secrets = taken();
    const values = {
      NOTES_TOKEN: 'n7x9q2v5',
      Authorization: 'Bearer abcdef012345',
      MAX_TOKENS: '4096',
      KEY_FILE: '/home/me/key.pem',
      USE_TOKEN: 'true',
      DB_PASSWORD: '1234567',
      URL: 'https://example.org/a',
      OWN: '{{NOTES_TOKEN}}',
      FROM_SHELL: '${GITHUB_TOKEN}',
      HEADER: 'Bearer ${GITHUB_TOKEN}',
      note: `use ${TOKEN} there`,
      count: 3,
    };
    assert.deepEqual(secrets.values(values), {
      ...values,
      NOTES_TOKEN: '{{NOTES_TOKEN}}',
      Authorization: 'Bearer {{NOTES_AUTHORIZATION}}',
      DB_PASSWORD: '{{DB_PASSWORD}}',
      note: 'use {{NOTES_SECRET}} there',
    });
    assert.equal(secrets.all.get('NOTES_AUTHORIZATION'), 'abcdef012345');
  });

  it('are removed from command arguments, based on the preceding option', () => {
    const words = ['--max-tokens', '500', '--key-file', 'a.pem', '--token', '$TOKEN', '--verbose', '--key', './k.pem'];
    assert.deepEqual(taken().words(words), words);
    assert.deepEqual(taken().words(['--api-key', 'k1k2k3k4', '--token=t1t2t3t4', '-y']), [
      '--api-key',
      '{{NOTES_API_KEY}}',
      '--token={{NOTES_TOKEN}}',
      '-y',
    ]);
    assert.deepEqual(taken().words(['postgres://me:hunter22@db/x', 'https://a.example/?api_key=k1k2k3k4&b=1']), [
      'postgres://me:{{NOTES_PASSWORD}}@db/x',
      'https://a.example/?api_key={{NOTES_KEY}}&b=1',
    ]);
  });

  it('get separate names if two are called the same', () => {
    const secrets = new SecretsOut();
    const [a, b, again] = ['a', 'b', 'a'].map((item) => secrets.ofItem(item));
    assert.equal(a?.value('SERVICE_TOKEN', 'first-one'), '{{SERVICE_TOKEN}}');
    assert.equal(b?.value('SERVICE_TOKEN', 'second-one'), '{{B_SERVICE_TOKEN}}');
    assert.equal(again?.value('SERVICE_TOKEN', 'first-one'), '{{SERVICE_TOKEN}}');
  });

  it('are found in time linear in the text', () => {
    const long = 'key'.repeat(400_000);
    for (const text of [`https://a.example/?${long}`, `--${long}`, `postgres://${long}`, `eyJ${long}.`]) {
      assert.deepEqual(taken().words([text]), [text]);
    }
  });

  it('are masked in imported sessions, including those from the environment', () => {
    const secrets = new SecretsOut(['Zq7Wx9KvJy4Bn2Rt']);
    secrets.ofItem('a').key('KEY', 'my-own-secret');
    assert.equal(secrets.strike()(`my-own-secret Zq7Wx9KvJy4Bn2Rt ${TOKEN} plain`), '••• ••• ••• plain');
  });
});
