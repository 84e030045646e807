import assert from 'node:assert/strict';
import { Deferred, Mutex } from '../../../src/base/async';
import { hideSecrets } from '../../../src/engine/permissions/likelySecrets';
import { jsonLine } from '../../../src/engine/permissions/jsonLine';
import type { PermissionRule } from '../../../src/engine/permissions/permissionRule';
import { deniedOutright } from '../../../src/engine/permissions/toolPolicy';
import { HIDDEN_MARK } from '../../../src/engine/secrets/secretScan';

describe('The line of a JSON value', () => {
  const text = '{\n  "a": 1,\n  "b": [\n    {"c": "x\\"y"},\n    {"d": null}\n  ]\n}\n';
  const cases = [
    [text, [], 1],
    [text, ['a'], 2],
    [text, ['b'], 3],
    [text, ['b', 0, 'c'], 4],
    [text, ['b', 1], 5],
    [text, ['b', 1, 'gone', 'deeper'], 5],
    ['{\n"a": [1,\n2,\n]}', [], 4],
    ['{\n"a" 1}', [], 2],
    ['[1]\nx', [], 2],
    ['\n\n', [], 3],
    ['['.repeat(5000), [], 1],
  ] as const;
  for (const [json, path, line] of cases)
    it(`is ${line} for ${path.join('.') || 'the whole'} in ${JSON.stringify(json.slice(0, 40))}`, () =>
      assert.equal(jsonLine(json, path), line));
});

describe('Redacting secrets in stored lines', () => {
  const secret = 'Ab1cd2Ef3gh4';
  for (const line of [
    `curl -H "Authorization: Bearer ${secret}"`,
    `export OPENAI_API_KEY=sk-${secret}`,
    `mysql --password=${secret}`,
    `mysql --password ${secret}`,
    `git clone https://me:${secret}@example.com/x.git`,
    `DB_PASSWORD="${secret}" run`,
    `login ghp_${secret}`,
    `{"token": "${secret}"}`,
  ])
    it(`masks the secret in: ${line}`, () => assert.doesNotMatch(hideSecrets(line), new RegExp(secret)));

  const forms = {
    'a user and a password': [
      'curl -u me:# x',
      'curl -sSume:# x',
      'curl --proxy-user "me:# b"',
      'http -a me:# x',
      'lftp -u me,# h',
    ],
    'a long option': [
      'x --password #',
      "x --db-password='# b'",
      'x --password "a #"',
      'keytool -storepass # -keypass #',
    ],
    'a short option': [
      ...['mysql -p# db', "mysqldump -uroot -p'a #' db", "ssh h 'mysqldump -p# db'", 'bash -c "mysql -p# -e \'x\'"'],
      ...[
        'sshpass -p # ssh -p 22 h',
        'sshpass -p# ssh h',
        'docker login -u me -p # h',
        'podman login -p=# h',
        'zip -rP # a b',
      ],
      ...['7z x a.7z -p#', 'rar a -hp# a b', 'redis-cli -h h -a # ping', 'mongosh -u me -p #', 'ldapsearch -D cn -w #'],
    ],
    'a header': [
      ...[
        "curl -H 'Authorization: #'",
        "curl -H 'Authorization: ApiKey #'",
        'curl -H X-Api-Key:#',
        'curl -H "Private-Token: #"',
      ],
      'curl -H "Cookie: a=b; session=#"',
    ],
    'an address': [
      'psql postgres://me:#@h/db',
      'psql postgres://me:p@#@h/db',
      'git clone https://a#b##@h/x',
      'https://h/?api_key=#',
    ],
    'an assignment': [
      'AWS_SECRET_ACCESS_KEY=# aws',
      'DB_PASS=# x',
      "A_PASSWORD='one #'",
      'PRIVATE_KEY="-----BEGIN\n#\n"',
    ],
    'a text in JSON': ['curl -d "{\\"password\\": \\"# b\\"}"', '{"clientSecret": "a \\" #"}'],
    'a token of a known kind': [
      ...['github_pat_#', 'glpat-#', 'xoxb-1-#', 'sk_live_#', 'whsec_#', 'npm_abcdefghijkl#', 'AIzaSyabcdefghijk#'],
      ...['eyJhbGciOiJI.#.#', 'https://hooks.slack.com/services/T0/B0/#'],
      ...['pplx-abcdefgh#', 'figd_abcdefgh#', 'ATATT3xabcdefgh#', 'sbp_abcdefgh#', 'r8_abcdefgh#', 'glrt-abcdefgh#'],
      "cat > key <<'E'\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n#\n-----END RSA PRIVATE KEY-----\nE",
    ],
  };
  for (const [where, lines] of Object.entries(forms))
    it(`masks the secret in ${where}`, () => {
      for (const line of lines) {
        const shown = hideSecrets(line.replaceAll('#', secret));
        assert.ok(!shown.includes(secret) && shown.includes(HIDDEN_MARK), shown);
      }
    });

  it('shows the rest of the command', () => {
    assert.equal(hideSecrets(`curl -u me:${secret} -o a https://h`), 'curl -u me:••• -o a https://h');
    assert.equal(hideSecrets(`docker login -p ${secret} h && mkdir -p x`), 'docker login -p ••• h && mkdir -p x');
    assert.equal(hideSecrets(`x --password "${secret} b" --port 1`), 'x --password "•••" --port 1');
  });

  it('masks secrets after a long text of options and quotes that are left open', () => {
    const begins = [' -p', ' -p "', '"\\"', '\'"', '\\"', 'curl -u a:', '--password "', 'mysql -p', '://a:', 'token'];
    for (const begin of begins) {
      const text = begin.repeat(100_000 / begin.length);
      assert.doesNotMatch(hideSecrets(`${text}=& x_token=${secret}`), new RegExp(secret), begin);
    }
  });

  it('masks secrets anywhere in a long text with many beginnings of secrets', () => {
    for (const begin of ['eyJ-', 'token', 'token ', 'token-', 'eyJa.', 'token"', 'a=', ' ']) {
      const text = begin.repeat(100_000 / begin.length);
      assert.equal(hideSecrets(text), text);
      assert.doesNotMatch(hideSecrets(`${text} x_token=${secret} y-eyJhbGciOiJI.${secret}.z`), new RegExp(secret));
    }
  });

  it('masks secrets after names of several parts', () => {
    for (const name of ['my_token_2', 'api-key', 'x-api-keys', 'ACCESS_KEY', 'access-key', 'user-pwd', '"credential"'])
      assert.equal(hideSecrets(`${name}: ${secret}!`), `${name}: ${HIDDEN_MARK}`);
  });

  it('leaves everything else unchanged', () => {
    for (const line of [
      ...[
        'npm test -- --watch',
        'Read src/tokens.ts 1–40',
        'git commit -m "basic sketch"',
        'mkdir -p x',
        'ssh -p 22 host',
      ],
      ...['docker run -p 8080:80 x', 'docker run --name mysql -p3306:3306 mysql', 'docker run --user 1000:1000 x'],
      ...[
        'docker login h && mkdir -p x',
        'docker login -u me --password-stdin h',
        'gh auth login -p https',
        'mysql -u root -p db',
      ],
      ...[
        'x --password-file f',
        'x --password-file=f',
        'pg_dump --no-password db',
        'docker build --secret id=a,src=b .',
      ],
      ...[
        'pip install --user foo',
        'systemctl --user status x',
        'find . -user root',
        'docker exec --user root:root c sh',
      ],
      ...[
        'npx npm-check-updates',
        'npm_config_yes=true npm i',
        'curl -u me https://h',
        'npm i a@b http://h:8080/x',
        'zip -p a',
      ],
    ])
      assert.equal(hideSecrets(line), line);
  });
});

describe('A write tool', () => {
  const rule = (action: PermissionRule['action'], more: Partial<PermissionRule> = {}): PermissionRule => ({
    tool: 'category:write',
    action,
    ...more,
  });
  const argument = { kind: 'path', pattern: 'a' } as const;
  const tool = { name: 'fs_write', category: 'write' } as const;
  const cases: readonly (readonly [string, boolean, PermissionRule[][]])[] = [
    ['without rules', false, [[]]],
    ['by a rule for its category', true, [[rule('deny')]]],
    ['by a rule for its name', true, [[rule('deny', { tool: 'fs_*' })]]],
    ['by a rule for another category', false, [[rule('deny', { tool: 'category:read' })]]],
    ['by a rule for some arguments', false, [[rule('deny', { argument })]]],
    ['if a later rule allows some arguments', false, [[rule('deny'), rule('allow', { argument })]]],
    ['if a later rule asks', false, [[rule('deny'), rule('ask')]]],
    ['by a rule in a later scope', true, [[rule('deny', { argument })], [rule('deny')]]],
    ['if an earlier scope asks', false, [[rule('ask')], [rule('deny')]]],
  ];
  for (const [what, denied, scopes] of cases)
    it(`${denied ? 'is' : 'is not'} denied outright ${what}`, () => assert.equal(deniedOutright(tool, scopes), denied));
});

describe('Turns', () => {
  it('run one after the other, even when one fails or is abandoned', async () => {
    const turns = new Mutex();
    const { signal } = new AbortController();
    const cancel = new AbortController();
    const told: string[] = [];
    const first = new Deferred<void>();
    const one = turns.take(async () => {
      told.push('one begins');
      await first.promise;
      told.push('one ends');
      throw new Error('one fails');
    }, signal);
    const two = turns.take(() => Promise.resolve(told.push('two')), cancel.signal);
    const three = turns.take(() => Promise.resolve(told.push('three')), signal);
    const failed = assert.rejects(one, /one fails/);
    cancel.abort();
    await assert.rejects(two, { name: 'AbortError' });
    first.resolve();
    await Promise.all([failed, three]);
    assert.deepEqual(told, ['one begins', 'one ends', 'three']);
  });
});
