import assert from 'node:assert/strict';
import { editorProxy } from '../../../src/host/llm/editorProxy';

const target = new URL('https://models.example/v1');
const WANTS =
  'on the way to https://models.example requires a user name and a password (407). Write them into its address';

describe('An editor proxy that requires a password', () => {
  it('is reported with its setting, which takes precedence over the environment', () => {
    assert.equal(
      editorProxy(target, ' http://proxy.office:8080/ ', { HTTPS_PROXY: 'http://other:1' }),
      `The proxy http://proxy.office:8080 ${WANTS} in the setting "http.proxy" of the editor: http://name:password@proxy.office:8080`,
    );
  });

  it('is reported with its environment variable', () => {
    for (const variable of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
      assert.equal(
        editorProxy(target, '', { [variable]: 'http://proxy.office:8080', ALL_PROXY: 'http://other:1' }),
        `The proxy http://proxy.office:8080 ${WANTS}, in the environment that the editor is started with: ${variable}=http://name:password@proxy.office:8080`,
      );
    }
  });

  it('never has its password shown', () => {
    for (const [setting, env] of [
      ['http://me:secret@proxy.office:8080', {}],
      ['', { HTTPS_PROXY: 'http://me:secret@proxy.office:8080' }],
    ] as const) {
      const told = editorProxy(target, setting, env) ?? '';
      assert.match(told, /^The proxy http:\/\/proxy\.office:8080 on the way .* refused the user name and the password/);
      assert.doesNotMatch(told, /secret/);
    }
  });

  it('is not reported when only the system knows it', () => {
    for (const setting of [undefined, '', 'proxy.office:8080', 'http://', 7]) {
      assert.equal(editorProxy(target, setting, { NO_PROXY: '*' }), undefined);
    }
  });
});
