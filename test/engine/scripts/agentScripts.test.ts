import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { warnings, withScripts } from '../../support/scriptWorld';

const call = (name: string, input: Record<string, unknown> = {}) => ({ call: [{ name, arguments: input }] });

describe('An agent’s own script tools', () => {
  it('are offered only to it, with its variables, programs and folder', () =>
    withScripts(
      {
        files: {
          '.cairn/agents/tides/config.yaml':
            'instructions: You know tides.\nglobal_tools: []\nvariables:\n  - name: harbour-name\n    description: Where\n    default: Brest\n',
          '.cairn/agents/tides/tools.sh':
            '# @cmd Tells the tide.\ntide() { echo "$LLM_AGENT_VAR_HARBOUR_NAME $LLM_AGENT_NAME $LLM_AGENT_FUNC $(tell)" >> "$LLM_OUTPUT"; }\neval "$(argc --argc-eval "$0" "$@")"\n',
          '.cairn/agents/tides/bin/tell': '#!/bin/sh\necho high\n',
        },
        story: [call('tide'), { say: 'x' }, { say: 'y' }],
      },
      async ({ play, heard, server, asked, folder }) => {
        await chmod(join(folder, '.cairn/agents/tides/bin/tell'), 0o755);
        const { events } = await play('go', { agent: 'tides' });
        assert.deepEqual(heard(), ['Brest tides tide high']);
        assert.match(
          asked.map(({ reason }) => reason).join('\n'),
          /^The script .*tools\.sh of this workspace runs for the first time\. .* It uses the programs in \.cairn\/agents\/tides\/bin before others\.$/,
        );
        assert.doesNotMatch(warnings(events).join(), /not supported yet/);
        await play('go', { agent: 'coder' });
        assert.ok(!server.requests.at(-1)?.tools.includes('tide'));
      },
    ));

  it('load what the agents next to it share, from where Coyote and llm-functions have it', () =>
    withScripts(
      {
        files: {
          '.cairn/agents/.shared/utils.sh': 'shared() { echo "shared $1"; }\n',
          '.cairn/agents/tides/config.yaml': 'instructions: You know tides.\n',
          '.cairn/agents/tides/tools.sh':
            '# @cmd Tells the tide.\ntide() { shared "$(basename "$LLM_AGENT_ROOT_DIR")" >> "$LLM_OUTPUT"; }\nsource "$LLM_ROOT_DIR/agents/.shared/utils.sh"\neval "$(argc --argc-eval "$0" "$@")"\n',
        },
        story: [call('tide'), { say: 'x' }],
      },
      async ({ play, heard }) => {
        const { events } = await play('go', { agent: 'tides' });
        assert.deepEqual(heard(), ['shared tides']);
        assert.deepEqual(warnings(events), []);
      },
    ));

  it('provide its instructions, once per session, and only after the user has seen them', () =>
    withScripts(
      {
        files: {
          '.cairn/agents/theirs/config.yaml': 'dynamic_instructions: true\ninstructions: You are written.\n',
          '.cairn/agents/theirs/tools.sh': '_instructions() { touch ran; echo "You are made."; }\n',
        },
        story: [{ say: '1' }, { say: '2' }, { say: '3' }, { say: '4' }],
      },
      async ({ play, configFolder, engine, server, folder, read }) => {
        const own = join(configFolder, 'agents', 'mine');
        await mkdir(own, { recursive: true });
        await writeFile(join(own, 'config.yaml'), 'dynamic_instructions: true\ninstructions: You are written.\n');
        const script = (count: number) =>
          `_instructions() { echo "You are made, number ${count}." >> "$LLM_OUTPUT"; }\n`;
        await writeFile(join(own, 'tools.sh'), script(1));
        engine.agents.reload();
        const prompt = () => server.requests.at(-1)?.messages[0]?.text ?? '';
        await play('go', { agent: 'mine' });
        assert.match(prompt(), /You are made, number 1\./);
        assert.doesNotMatch(prompt(), /You are written/);
        await writeFile(join(own, 'tools.sh'), script(2));
        await play('on', { agent: 'mine' });
        assert.match(prompt(), /You are made, number 1\./, 'it goes on as it began');
        const fresh = { workspace: folder, model: 'openai:test-model', approvalMode: 'nothing', name: null } as const;
        const { id } = await engine.sessions.create(fresh);
        await engine.run({ sessionId: id, input: 'again', agent: 'mine' }).outcome;
        assert.match(prompt(), /You are made, number 2\./);
        const { events } = await play('go', { agent: 'theirs' });
        assert.match(prompt(), /You are written\./);
        assert.match(
          warnings(events).join(),
          /theirs: its script could not create its instructions.*has not been reviewed yet/,
        );
        await assert.rejects(read('ran'));
      },
    ));
});
