import assert from 'node:assert/strict';
import { join } from 'node:path';
import { editorSignIns } from '../../../src/host/mcp/editorSignIns';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';

describe("The editor's store of sign-ins to MCP servers", () => {
  it('lets one window at a time change a sign-in, so that no refreshed token is lost', async () => {
    const folder = await temporaryFolder();
    const kept = new Map<string, string>();
    const secrets = {
      hide: () => undefined,
      kept: (name: string) => Promise.resolve(kept.get(name)),
      set: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
    };
    // The folder is created when it is first needed.
    const configFolder = join(folder.path, 'config');
    const windows = Array.from({ length: 4 }, () => editorSignIns({ configFolder, ports: nodePorts(), secrets }));
    const name = 'https://tides.example/mcp?x=../../1';
    try {
      await Promise.all(
        windows.map((store) =>
          store.exclusively(name, async () => {
            const before = (await store.get(name)) ?? '';
            await new Promise(setImmediate);
            await store.set(name, `${before}+1`);
          }),
        ),
      );
      assert.equal(await windows[0]?.get(name), '+1+1+1+1');
      assert.deepEqual([...kept.keys()], [`mcpSignIn.${name}`]);
    } finally {
      await folder.remove();
    }
  });
});
