import assert from 'node:assert/strict';
import { nodeToolPrograms } from '../../../../src/node/onRequest/nodeOnRequestTools';
import { scriptPrograms } from '../../../support/scriptPrograms';
import { lateOnRequestTools, onRequestTools } from '../../../../src/engine';
import { nodePorts } from '../../../../src/node/nodePorts';
import { type WorldOptions, withWorld } from '../../../support/engineWorld';
import { toolWorld } from '../toolWorld';
import { warnings, withScripts } from '../../../support/scriptWorld';

const programs = nodeToolPrograms({ env: process.env, sqliteRunner: scriptPrograms.sqliteRunner });
const NOW = Date.UTC(2026, 10, 24, 4, 5, 6);
const onRequest = () =>
  onRequestTools({ ...ports, environment: {}, secrets: { get: () => Promise.resolve(undefined) }, programs });
const ports = { ...nodePorts(), clock: { now: () => NOW, sleep: () => Promise.resolve() } };

/** Returns which of the tools that must be named are offered to a model, and how often they were loaded. */
async function offered(options: WorldOptions, play: { agent?: string; role?: string } = {}) {
  let loads = 0;
  const toolSource = lateOnRequestTools(() => {
    loads += 1;
    return Promise.resolve(onRequest());
  });
  let tools: readonly string[] = [];
  await withWorld({ story: [{ say: 'x' }], ...options, agents: { toolSource } }, async (world) => {
    await world.play('go', play);
    tools = world.server.requests[0]?.tools ?? [];
  });
  return { loads, tools: tools.filter((name) => /search|time|^fs_read$/.test(name) && name !== 'fs_search') };
}

const agent = (tools: string) => ({ [`.cairn/agents/a.md`]: `---\ndescription: A\n${tools}\n---\nAnswer.` });

describe('Tools that must be named', () => {
  it('are neither offered nor loaded when no one names them', async () => {
    assert.deepEqual(await offered({}), { loads: 0, tools: ['fs_read'] });
    const all = { files: agent("tools: ['*']") };
    assert.deepEqual(await offered(all, { agent: 'a' }), { loads: 0, tools: ['fs_read'] });
  });

  it('are offered to an agent that names them, also by Coyote’s names', async () => {
    const named = { files: agent('tools: [fs_read, web_search]') };
    assert.deepEqual(await offered(named, { agent: 'a' }), { loads: 1, tools: ['fs_read', 'web_search'] });
    const coyote = {
      '.cairn/agents/c/config.yaml':
        'name: c\ndescription: C\ninstructions: Answer.\nglobal_tools: [search_arxiv.sh, web_search_tavily.sh]\n',
    };
    assert.deepEqual((await offered({ files: coyote }, { agent: 'c' })).tools, ['web_search', 'search_arxiv']);
  });

  it('are offered when the user enables them, but not to an agent that lists others', async () => {
    const settings = { tools: { enabled: ['get_current_time'] } };
    assert.deepEqual((await offered({ settings })).tools, ['fs_read', 'get_current_time']);
    const files = agent('tools: [fs_read]');
    assert.deepEqual((await offered({ settings, files }, { agent: 'a' })).tools, ['fs_read']);
  });

  it('are offered with a role that names them', async () => {
    const files = { '.cairn/roles/r.md': '---\nenabled_tools: [fs_read, web_search]\n---\nLook.' };
    assert.deepEqual((await offered({ files }, { role: 'r' })).tools, ['fs_read', 'web_search']);
  });

  it('are offered with a skill that names them, once it is loaded', async () => {
    const skill = '---\ndescription: Times\nenabled_tools: [get_current_time]\n---\nLook at the clock.';
    const time = { call: [{ name: 'get_current_time', arguments: { timezone: 'Asia/Tokyo' } }] };
    const load = { call: [{ name: 'skill__load', arguments: { name: 'times' } }] };
    const toolSource = lateOnRequestTools(() => Promise.resolve(onRequest()));
    const files = { '.cairn/skills/times/SKILL.md': skill };
    await withWorld({ files, story: [time, load, time, { say: 'x' }], agents: { toolSource } }, async (world) => {
      await world.play('go');
      const heard = (world.server.requests.at(-1)?.messages ?? []).flatMap(({ results }) =>
        results.map(({ text }) => text),
      );
      assert.match(heard[0] ?? '', /times/);
      assert.equal(heard.at(-1), 'Tuesday 2026-11-24 13:05:06 GMT+09:00 (Asia/Tokyo)');
    });
  });

  it('ask before they access the web', async () => {
    const asked: string[] = [];
    const files = agent('tools: [search_arxiv]');
    const search = { call: [{ name: 'search_arxiv', arguments: { query: 'tides' } }] };
    await offered(
      {
        ...{ files, story: [search, { say: 'x' }], approvalMode: 'edits-and-commands' },
        approve: ({ title }) => {
          asked.push(title);
          return { kind: 'reject', by: 'person' };
        },
      },
      { agent: 'a' },
    );
    assert.deepEqual(asked, ['Search arXiv for “tides”']);
  });
});

describe('get_current_time', () => {
  it('says which time it reads', () => {
    const tool = onRequest().find(({ name }) => name === 'get_current_time');
    const titles = [{}, { timezone: 'Asia/Tokyo' }].map((input) => {
      const bound = tool?.bind(input);
      return bound?.ok && bound.call.title;
    });
    assert.deepEqual(titles, ['Read the time', 'Read the time in Asia/Tokyo']);
  });

  it('explains how to write time zones', async () => {
    const world = await toolWorld();
    try {
      const tool = onRequest().find(({ name }) => name === 'get_current_time');
      const bound = tool?.bind({ timezone: 'Mars/Base' });
      assert.ok(bound?.ok);
      await assert.rejects(bound.call.run(world.context()), /no time zone “Mars\/Base”\. Write it as Europe\/Paris/);
    } finally {
      await world.remove();
    }
  });
});

describe('Scripts named like a tool that must be named', () => {
  const SCRIPT = '# @describe Says the time.\nmain() { echo five; }\n';
  const story = [{ call: [{ name: 'get_current_time', arguments: {} }] }, { say: 'x' }];
  const settings = { tools: { enabled: ['all', 'get_current_time'] } };
  const beside = lateOnRequestTools(() => Promise.resolve(onRequest()));

  it('replace it when they belong to the user', () =>
    withScripts({ own: { 'tools/get_current_time.sh': SCRIPT }, story, settings, beside }, async ({ play, heard }) => {
      await play('go');
      assert.deepEqual(heard(), ['five']);
    }));

  it('do not replace it when they belong to a workspace, and this is reported', () =>
    withScripts(
      { files: { '.cairn/tools/get_current_time.sh': SCRIPT }, story, settings, beside },
      async ({ play, heard, asked }) => {
        const { events } = await play('go');
        assert.match(heard().join(), /2026-11-24/);
        assert.deepEqual(asked, []);
        assert.match(warnings(events).join(), /get_current_time of this workspace is not a tool: there is another/);
      },
    ));
});
