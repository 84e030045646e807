import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseAgent } from '../support/chooseAgent';
import { QuickList } from '../support/quickList';
import {
  aboutThe,
  CANALS,
  inTurn,
  LIBRARIAN_NODES,
  opened,
  promptOf,
  RESEARCH_NODES,
  researchStory,
  saysJson,
} from '../support/graphRoles';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { FETCHES_HERE, type SmallWeb, startSmallWeb } from '../support/smallWeb';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };

describe('The research graphs in the editor', () => {
  let web: SmallWeb;
  /** Filled before the first story starts. */
  const env: Record<string, string> = {};
  before(async () => {
    web = await startSmallWeb(CANALS);
    Object.assign(env, web.environment);
  });
  after(() => web.close());

  async function allowFetchingHere(configDir: string): Promise<void> {
    await mkdir(configDir, { recursive: true });
    await writeFile(join(configDir, 'permissions.json'), JSON.stringify({ rules: [FETCHES_HERE] }));
  }

  const sources = (kind: 'docs' | 'code', query: string) => (request: ModelRequest) => {
    const page = opened(request, query);
    if (page.call) return page.call;
    const { url, title, text } = page;
    return saysJson({ [`${kind}_sources`]: [{ url, title, says: text }], [`${kind}_trouble`]: '' });
  };

  story(
    'include librarian, which answers from a parallel search of documentation and code, with its sources',
    {
      settings,
      env,
      files: { 'package.json': '{ "dependencies": { "canals": "2.1.0" } }' },
      model: [
        {
          when: LIBRARIAN_NODES.triage,
          step: saysJson({
            ...{ subject: 'canals', version_in_use: '2.1.0', question: 'How deep is a canal?' },
            ...{ docs_query: 'depth', code_query: 'width' },
          }),
        },
        { when: LIBRARIAN_NODES.search_docs, step: sources('docs', 'depth') },
        { when: LIBRARIAN_NODES.search_code, step: sources('code', 'width') },
        { when: LIBRARIAN_NODES.synthesize, step: { say: 'It is **4 metres** deep [1] and 20 metres wide [2].' } },
      ],
    },
    async ({ session, window, panel }) => {
      await allowFetchingHere(session.configDir);
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await list.waitForRow('Answers a question about a library');
      await panel.pick('librarian');
      await until('librarian', async () => (await panel.button('Agent: librarian')).isVisible());
      await panel.send('How deep are canals?');
      const said = await panel.waitForText('It is 4 metres deep [1]', 'text');
      assert.match(said.text, /Sources:[^]*Depths: [^]*\/depth[^]*Widths: [^]*\/width[^]*LIBRARIAN_COMPLETE/);
      const frame = await panel.frame();
      assert.deepEqual(await frame.getByRole('link', { name: `${web.url}/depth` }).count(), 1);
      await frame.getByRole('article', { name: 'Graph librarian, finished' }).waitFor();
    },
  );

  story(
    'include deep-research, which asks for a topic, revises its report on a remark, and saves the accepted one',
    {
      settings,
      env,
      model: researchStory({
        replan: saysJson({ questions: [aboutThe('cost')], instruction: 'Add the cost.' }),
        write: inTurn(
          { say: '# Canals\n\n4 metres [1], 20 metres [2].' },
          { say: '# Canals\n\n4 metres [1], 20 metres [2], 7 million [3].' },
        ),
      }),
    },
    async ({ session, panel, workspace, model }) => {
      await allowFetchingHere(session.configDir);
      await panel.open();
      await chooseAgent(panel, 'deep-research');
      await panel.send('Research a question that I will name');
      assert.match(await panel.waitForQuestion(), /What shall be researched\?/);
      await panel.answer('How big are canals?');
      const first = await panel.waitForQuestion();
      assert.match(
        first,
        /^Is this report good\?[^]*# Canals[^]*20 metres \[2\]\.[^]*Depths: <http[^]*cited for: 1 of 2\./,
      );
      assert.deepEqual(await panel.questionOptions(), ['Accept', 'Accept and save', 'Discard']);
      await panel.answer('What did they cost?');
      const second = await panel.waitForQuestion();
      assert.match(second, /7 million \[3\]\.[^]*Costs: <http/);
      assert.match(promptOf(model.requests.filter(RESEARCH_NODES.write)[1] ?? assert.fail()), /What did they cost\?/);
      await panel.answer('Accept and save');
      const said = await panel.waitForText('Saved as research/how-big-are-canals.md.', 'text');
      assert.match(said.text, /7 million \[3\][^]*RESEARCH_COMPLETE/);
      const saved = 'research/how-big-are-canals.md';
      assert.match(await workspace.read(saved), /^# Canals\n\n4 metres \[1\][^]*7 million/);
    },
  );
});
