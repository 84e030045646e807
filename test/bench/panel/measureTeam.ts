import { EditorSession } from '../../editor/editorSession';
import { Panel } from '../../editor/panel';
import { closeSharedBrowser } from '../../editor/sharedBrowser';
import { until } from '../../editor/until';
import { agentFile, calls, leadsUntilDone, says, spawn } from '../../engine/agents/team/teamStory';
import { startModelServer } from '../../support/modelServer/modelServer';
import { median, rangeOf } from '../median';
import type { Row } from '../row';
import type { StagedPackage } from '../stagedPackage';
import { FrameProbe } from './frameProbe';

const AGENTS = 20;
const BUDGET_MS = 20;
const WORDS = 'Words that come one after the other and say little of what was found. '.repeat(40);
const lead = `---\ncan_spawn_agents: true\nmax_concurrent_agents: ${AGENTS}\n---\nYou are lead.`;

/** Measures the panel's frame times while `AGENTS` agents stream at once, each some forty times a second. */
export async function measureTeam(built: StagedPackage): Promise<Row[]> {
  const model = await startModelServer([
    says('worker', { say: WORDS, chunk: 12, pauseMs: 25 }),
    leadsUntilDone(
      calls(...Array.from({ length: AGENTS }, (_, at) => spawn('worker', `Part ${at}.`))),
      'All are done.',
    ),
    { when: () => true, step: { say: 'A title' } },
  ]);
  const session = await EditorSession.start({
    vsix: [built.vsix()],
    settings: { 'cairn.model': 'openai:mock', 'cairn.approvalMode': 'nothing' },
    files: { '.cairn/agents/coder.md': lead, ...agentFile('worker') },
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'test-key', OLLAMA_HOST: '127.0.0.1:9' },
  });
  try {
    const panel = new Panel(await session.openWindow());
    await panel.open();
    await panel.send('go');
    const cards = await panel.locate('[data-kind=agent][data-status=running]');
    await until('all agents to be at work', async () => (await cards.count()) === AGENTS, 60_000);
    const probe = await FrameProbe.in(await panel.frame());
    await panel.waitForText('All are done.', 'text', 120_000);
    const frames = await probe.frames();
    return [
      {
        what: `a frame of the panel while ${AGENTS} agents stream`,
        value: median(frames),
        unit: 'ms',
        digits: 1,
        range: rangeOf(frames),
        budget: BUDGET_MS,
      },
    ];
  } finally {
    await session.close();
    await model.close();
    await closeSharedBrowser();
  }
}
