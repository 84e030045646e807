import assert from 'node:assert/strict';
import { commandEnvironment } from '../../src/node/secretVariables';

describe('commandEnvironment', () => {
  it('leaves out variables with secret-like names', () => {
    const names = [
      'OPENAI_API_KEY',
      'AWS_SECRET_ACCESS_KEY',
      'GITHUB_TOKEN',
      'npm_config__authToken',
      'DB_PASSWORD',
      'MYSQL_PWD',
      'SSH_PASSPHRASE',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'my_secret',
      'SMTP_PASS',
      'PGPASSWORD',
      'DOCKER_AUTH_CONFIG',
    ];
    assert.deepEqual(commandEnvironment(Object.fromEntries(names.map((name) => [name, 'x']))), {});
  });

  it('leaves out variables with secret-like values', () => {
    const values = ['sk-proj-1234', 'ghp_abc', 'postgres://me:pass@host/db', '-----BEGIN KEY-----', 'AKIAABCDEF'];
    assert.deepEqual(commandEnvironment(Object.fromEntries(values.map((value, at) => [`PLAIN_${at}`, value]))), {});
  });

  it('leaves out webhooks, connection strings and the tokens of many vendors', () => {
    const values = [
      'https://hooks.slack.com/services/T0/B0/abc',
      'https://discord.com/api/webhooks/1/abc',
      'https://discordapp.com/api/webhooks/1/abc',
      'DefaultEndpointsProtocol=https;AccountName=me;AccountKey=abc==;EndpointSuffix=core.windows.net',
      'Endpoint=sb://me.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=abc=',
      'Server=db;User Id=me;Password=hunter2hunter2',
      'https://me.blob.core.windows.net/c?sv=2024&sig=abcdefgh%3D',
      'https://abcdef0123456789abcdef@sentry.example/1',
      'SG.abc.def',
      'gsk_abc',
      'hf_abc',
      'pypi-AgEIcHlwaS5vcmc',
      'sk_live_abc',
      'rk_test_abc',
      'ya29.a0Ab',
      'xapp-1-A',
      'glrt-abc',
      'dckr_pat_abc',
      'shpat_abc',
      'whsec_abc',
      'GOCSPX-abc',
      '123456789:AAabcdefghijklmnopqrstuvwxyz0123456',
    ];
    assert.deepEqual(commandEnvironment(Object.fromEntries(values.map((value, at) => [`PLAIN_${at}`, value]))), {});
  });

  it('keeps what programs need', () => {
    const env = {
      PATH: '/usr/bin',
      HOME: '/home/me',
      PWD: '/work',
      OLDPWD: '/',
      LANG: 'de_DE.UTF-8',
      SSH_AUTH_SOCK: '/tmp/agent',
      XAUTHORITY: '/home/me/.Xauthority',
      HTTPS_PROXY: 'http://proxy:8080',
      NODE_OPTIONS: '--max-old-space-size=4096',
      TZ: 'Asia/Tokyo',
      HF_HOME: '/home/me/.cache/huggingface',
      GLIBC: 'glibc-2.39',
      SystemRoot: 'C:\\Windows',
    };
    assert.deepEqual(commandEnvironment(env), env);
  });

  it('leaves out variables that the editor sets for its own processes', () => {
    assert.deepEqual(commandEnvironment({ ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', VSCODE_PID: '1' }), {});
  });
});
