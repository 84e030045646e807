import assert from 'node:assert/strict';
import { withScripts } from '../../support/scriptWorld';

const graph = (file: string) =>
  `name: flow\nversion: "1.1"\nstart: a\nnodes:\n  a: { type: script, script: ${file}, next: done }\n` +
  '  done: { type: end, output: "It said {{word}}." }\n';

describe('A script of a graph', () => {
  const run = (file: string, text: string) => {
    let outcome: unknown;
    const files = { '.cairn/agents/flow/graph.yaml': graph(file), [`.cairn/agents/flow/${file}`]: text };
    return withScripts({ files }, async ({ play }) => {
      ({ outcome } = await play('go', { agent: 'flow' }));
    }).then(() => outcome);
  };

  it('continues the graph with what it printed', async () => {
    assert.deepEqual(await run('a.sh', 'echo \'{"word":"hello"}\'\n'), { kind: 'completed', answer: 'It said hello.' });
  });

  it('fails the run with its exit code and what it said', async () => {
    const failed = JSON.stringify(await run('a.sh', 'echo \'{"word":"hello"}\'\necho "no disk" >&2\nexit 3\n'));
    assert.match(failed, /"kind":"failed"/);
    assert.match(failed, /a\.sh ended with exit code 3\. It said:\\nno disk/);
  });

  it('fails the run if it was killed', async () => {
    assert.match(JSON.stringify(await run('a.sh', 'kill -TERM $$\n')), /a\.sh ended by the signal SIGTERM\./);
  });
});
