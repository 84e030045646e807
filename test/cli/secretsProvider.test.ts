import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inShell } from './inShell';

/** The key that the scripted model accepts. */
const VALUE = 'test-key';
const NO_KEY = { OPENAI_API_KEY: '' };

/** How each program outputs a value, and the arguments that it was called with. */
const PROGRAMS = [
  {
    program: 'aws',
    provider: '{ type: aws_secrets_manager, aws_profile: work, aws_region: eu-west-1 }',
    says: `"${VALUE}"`,
    asked:
      'secretsmanager|get-secret-value|--secret-id=COMPANY-KEY|--query=SecretString|--output=json|--profile=work|--region=eu-west-1|',
  },
  {
    program: 'gcloud',
    provider: '{ type: gcp_secret_manager, gcp_project_id: p1 }',
    says: VALUE,
    asked: 'secrets|versions|access|latest|--secret=COMPANY-KEY|--quiet|--project=p1|',
  },
  {
    program: 'az',
    provider: '{ type: azure_key_vault, vault_name: v1 }',
    says: `"${VALUE}"`,
    asked: 'keyvault|secret|show|--vault-name=v1|--name=COMPANY-KEY|--query=value|--output=json|',
  },
  {
    program: 'gopass',
    provider: '{ type: gopass, store: team }',
    says: VALUE,
    asked: 'show|--password|--|team/COMPANY-KEY|',
  },
  {
    program: 'op',
    provider: "{ type: one_password, vault: 'Team $(touch owned)', account: a1 }",
    says: `{"id":"password","value":"${VALUE}"}`,
    asked:
      'item|get|COMPANY-KEY|--fields=label=password|--reveal|--format=json|--vault=Team $(touch owned)|--account=a1|',
  },
];

describe('Secrets from an external provider', function () {
  this.timeout(60_000);

  /** Installs a program on PATH with `body` as its script; each call appends its arguments as a line to the file `asked`. */
  const install = async (folder: string, program: string, body: string) => {
    await mkdir(join(folder, 'bin'), { recursive: true });
    const script = `#!/bin/sh\n{ printf '%s|' "$@"; echo; } >> "${folder}/asked"\n${body}\n`;
    await writeFile(join(folder, 'bin', program), script, { mode: 0o755 });
  };
  const configure = async (folder: string, provider: string, clients: string[]) => {
    await mkdir(join(folder, 'config'), { recursive: true });
    const text = ['model: openai:test-model', `secrets_provider: ${provider}`, 'clients:', ...clients];
    await writeFile(join(folder, 'config', 'config.yaml'), `${text.join('\n')}\n`);
  };
  const pathOf = (folder: string) => ({ ...NO_KEY, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` });
  const client = "  - { type: openai, api_key: '{{COMPANY-KEY}}' }";

  for (const { program, provider, says, asked } of PROGRAMS)
    it(`come from ${program}, called without a shell, and are redacted`, () =>
      inShell([{ say: `Is it ${VALUE}?` }], async ({ cairn, folder, server }) => {
        await install(folder, program, `cat <<'END'\n${says}\nEND`);
        await configure(folder, provider, [client]);
        const { status, out, err } = await cairn(['go'], { env: pathOf(folder) });
        assert.equal(status, 0, err);
        assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${VALUE}`);
        assert.doesNotMatch(`${out}${err}`, new RegExp(VALUE));
        assert.equal(await readFile(join(folder, 'asked'), 'utf8'), `${asked}\n`);
        assert.ok(!existsSync(join(folder, 'owned')) && !existsSync(join(folder, 'config', 'owned')));
      }));

  it('are requested once, and only when something needs one (P-9)', () =>
    inShell([], async ({ cairn, folder }) => {
      await install(folder, 'gopass', `echo ${VALUE}`);
      const more = "  - { type: groq, api_key: '{{COMPANY-KEY}}' }";
      await configure(folder, '{ type: gopass }', [client, more]);
      const { out, err } = await cairn(['--info'], { env: pathOf(folder) });
      assert.match(out, /^setting secrets_provider\tgopass\tconfig\.yaml:2/m, err);
      assert.match(out, /^setting GROQ_API_KEY\tset\tconfig\.yaml:5$/m);
      assert.doesNotMatch(`${out}${err}`, new RegExp(VALUE));
      assert.equal(await readFile(join(folder, 'asked'), 'utf8'), 'show|--password|--|COMPANY-KEY|\n');
      await configure(folder, '{ type: gopass }', ['  - { type: openai }']);
      await cairn(['--info'], { env: pathOf(folder) });
      assert.equal((await readFile(join(folder, 'asked'), 'utf8')).split('\n').length, 2);
    }));

  for (const [what, body, told] of [
    [
      'the program is not signed in',
      'echo "[ERROR] you are not currently signed in" >&2; exit 1',
      /`op` is not signed in: run `op signin`/,
    ],
    [
      'the program has no secret of that name',
      `echo "X isn't an item in any vault" >&2; exit 1`,
      /there is no secret COMPANY-KEY/,
    ],
    ['the program fails', `printf 'broken \\033[31mpipe\\n' >&2; exit 3`, /`op` failed: broken .*pipe/],
    ['the program returns an unexpected answer', `echo ${VALUE}`, /`op` returned an unexpected answer/],
    [
      'the program returns far too much output',
      'while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done',
      /`op` returned more than a secret can hold/,
    ],
  ] as const)
    it(`disable only the key that needs them when ${what}, with the location and a fix`, () =>
      inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
        await install(folder, 'op', body);
        await configure(folder, '{ type: one_password }', ["  - { type: groq, api_key: '{{COMPANY-KEY}}' }"]);
        const { status, err } = await cairn(['go'], { env: { ...pathOf(folder), OPENAI_API_KEY: VALUE } });
        assert.equal(status, 0, err);
        assert.match(err, /config\.yaml:4:\d+: warning: /);
        assert.match(err, told);
        assert.ok(!err.includes(VALUE) && !err.includes('\u001b'));
      }));

  it('do not use a program from the workspace, nor names that are options or files', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
      await writeFile(join(folder, 'gopass'), '#!/bin/sh\necho theirs > owned\n', { mode: 0o755 });
      const names = ['COMPANY-KEY', '--help', '@/etc/passwd', 'file:///etc/passwd', '../other'];
      const types = ['claude', 'groq', 'deepseek', 'mistral', 'openrouter'];
      const clients = names.map(
        (name, at) => `  - { type: openai-compatible, name: ${types[at] ?? ''}, api_key: '{{${name}}}' }`,
      );
      await configure(folder, '{ type: gopass }', clients);
      const { status, err } = await cairn(['go'], { env: { OPENAI_API_KEY: VALUE } });
      assert.equal(status, 0, err);
      assert.match(err, /`gopass` is not on PATH\. Install it/);
      assert.ok(!existsSync(join(folder, 'owned')));
      await install(folder, 'gopass', 'echo value-of-it');
      const again = await cairn(['--info'], { env: pathOf(folder) });
      assert.equal(again.err.match(/is not a valid secret name in gopass/g)?.length, 4, again.err);
    }));

  it('are rejected with the line when the provider configuration is invalid', () =>
    inShell([], async ({ cairn, folder }) => {
      for (const [provider, why] of [
        ['{ type: keychain }', /2:27: error: “secrets_provider\.type”: must be local, .*, gopass, or one_password\.$/m],
        ['{}', /must be local, /],
        ['{ type: azure_key_vault }', /“secrets_provider\.vault_name”: expected string/],
        ["{ type: azure_key_vault, vault_name: '{{NAME}}' }", /2:56: error: .*vault_name”: must not be empty/],
        ['gopass', /“secrets_provider”: expected a map/],
      ] as const) {
        await configure(folder, provider, [client]);
        const { status, err } = await cairn(['go'], { env: pathOf(folder) });
        assert.equal(status, 2);
        assert.match(err, why);
        assert.match(err, /config\.yaml:2:\d+: error: /);
      }
    }));
});
