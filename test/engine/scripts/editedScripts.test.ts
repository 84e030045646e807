import assert from 'node:assert/strict';
import path from 'node:path';
import { nodePorts } from '../../../src/node/nodePorts';
import { nodeScriptTools } from '../../../src/node/scripts/nodeScriptTools';
import { scriptPrograms } from '../../support/scriptPrograms';
import { temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const HELLO = '# @describe Says hello\nmain() { :; }\n';
const OF_AGENT = '# @cmd Says hello\nhello() { :; }\n';

describe('A script that is being edited', () => {
  it('is described where scripts are tools, of the user, the workspace, or an agent, and nowhere else', async () => {
    const own = await temporaryFolder();
    const workspace = path.join(own.path, 'work');
    const ports = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log });
    const secrets = { get: () => Promise.resolve(undefined) };
    const parts = { configFolder: own.path, secrets, ports, env: {}, programs: scriptPrograms, hide: () => undefined };
    const tools = nodeScriptTools(parts);
    const namesIn = async (file: string, text: string, isHeard = true) => {
      const described = await tools.describe(path.join(own.path, file), text, { workspace, isHeard });
      return described?.functions.map(({ name }) => name);
    };
    try {
      assert.deepEqual(await namesIn('tools/hello.sh', HELLO), ['hello']);
      assert.deepEqual(await namesIn('work/.cairn/tools/hello.sh', HELLO), ['hello']);
      assert.equal(await namesIn('work/.cairn/tools/hello.sh', HELLO, false), undefined);
      assert.deepEqual(await namesIn('agents/greeter/tools.sh', OF_AGENT), ['hello']);
      for (const file of ['agents/greeter/other.sh', 'work/tools.sh', 'work/hello.sh', 'tools/hello.txt'])
        assert.equal(await namesIn(file, OF_AGENT), undefined, file);
    } finally {
      await own.remove();
    }
  });
});
