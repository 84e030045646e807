import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { CairnApi } from '../../src/library/cairnApi';

const toldSchema = z.object({
  outcome: z.object({ kind: z.string(), answer: z.string().optional() }),
  heard: z.array(z.string()),
});

async function api(): Promise<CairnApi> {
  const extension = vscode.extensions.getExtension<CairnApi | undefined>('cairn-agents.cairn');
  return (await extension?.activate()) ?? assert.fail('Cairn gives no API');
}

describe('The API for other extensions', () => {
  const settings = () => vscode.workspace.getConfiguration('cairn');
  after(() => settings().update('approvalMode', undefined, true));

  it('has a version, and rejects invalid input', async () => {
    const cairn = await api();
    assert.match(cairn.version, /^1\.\d+\.\d+$/);
    const agent = { name: 'not a name', description: '' };
    assert.throws(() => cairn.registerAgent(agent), /“not a name” is not a valid agent name/);
    await assert.rejects(cairn.run({ input: 'hello', sessionId: '00000000-0000-4000-8000-000000000000' }));
  });

  it('lets an extension contribute a tool, a model and a program agent, and run them', async () => {
    await settings().update('approvalMode', 'nothing', true);
    const told = toldSchema.parse(await vscode.commands.executeCommand('cairnExample.tide', 'Husum'));
    const answer = 'The next high tide of Husum is at 12:34. Craw!';
    assert.deepEqual(told.outcome, { kind: 'completed', answer });
    for (const type of ['run-started', 'tool-finished', 'reply-finished', 'run-finished']) {
      assert.ok(told.heard.includes(`harbour ${type}`), `${type} in ${told.heard.join(', ')}`);
    }
  });

  it('lets an extension’s middleware hide content from models', async () => {
    await settings().update('approvalMode', 'nothing', true);
    const told = toldSchema.parse(await vscode.commands.executeCommand('cairnExample.tide', 'DE-123456'));
    const answer = 'The next high tide of [number] is at 12:34. Craw!';
    assert.deepEqual(told.outcome, { kind: 'completed', answer });
  });

  it('prompts the user for a contributed tool like for a built-in one, and can be cancelled', async () => {
    const cairn = await api();
    await settings().update('approvalMode', 'edits-and-commands', true);
    const asked = new Promise<string>((resolve) => {
      const listening = cairn.onEvent((event) => {
        if (event.type !== 'approval-requested') return;
        listening.dispose();
        resolve(`${event.request.tool}: ${event.request.title}`);
      });
    });
    const run = await cairn.run({ input: 'Tide in Bremen', agent: 'harbour', model: 'parrot:grey', show: true });
    assert.equal(await asked, 'example_tide: Tide of Bremen');
    run.cancel();
    assert.deepEqual(await run.outcome, { kind: 'cancelled' });
  });
});
