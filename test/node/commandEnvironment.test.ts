import assert from 'node:assert/strict';
import { commandEnvironment } from '../../src/node/commandEnvironment';

describe('commandEnvironment', () => {
  it('leaves out what is named like a secret', () => {
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

  it('leaves out what is written like a secret', () => {
    const values = ['sk-proj-1234', 'ghp_abc', 'postgres://me:pass@host/db', '-----BEGIN KEY-----', 'AKIAABCDEF'];
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
      SystemRoot: 'C:\\Windows',
    };
    assert.deepEqual(commandEnvironment(env), env);
  });

  it('leaves out what the editor sets for its own processes', () => {
    assert.deepEqual(commandEnvironment({ ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', VSCODE_PID: '1' }), {});
  });
});
