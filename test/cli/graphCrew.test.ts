import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, calls, idsIn, resultsIn, says, spawn } from '../engine/agents/team/teamStory';
import { CANALS, LIBRARIAN_NODES, opened, researchStory, saysJson } from '../support/graphRoles';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { FETCHES_HERE, type SmallWeb, startSmallWeb } from '../support/smallWeb';
import { inShell } from './inShell';

const headless = ['-m', 'openai:test-model', '--approve', 'all'];

describe('The research graphs on the command line', function () {
  this.timeout(60_000);
  let web: SmallWeb;
  beforeEach(async () => void (web = await startSmallWeb(CANALS)));
  afterEach(() => web.close());

  function allowFetchingHere(folder: string): void {
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/permissions.json'), JSON.stringify({ rules: [FETCHES_HERE] }));
  }

  const docs = (request: ModelRequest) => {
    const page = opened(request, 'depth');
    if (page.call) return page.call;
    const { url, title, text } = page;
    return saysJson({ docs_sources: [{ url, title, says: text }], docs_trouble: '' });
  };

  it('sisyphus has librarian research a question and receives the sources', () =>
    inShell(
      [
        {
          when: LIBRARIAN_NODES.triage,
          step: saysJson({
            ...{ subject: 'canals', version_in_use: '', question: 'How deep?', docs_query: 'x', code_query: 'x' },
          }),
        },
        { when: LIBRARIAN_NODES.search_docs, step: docs },
        { when: LIBRARIAN_NODES.search_code, step: saysJson({ code_sources: [], code_trouble: '' }) },
        { when: LIBRARIAN_NODES.synthesize, step: { say: 'It is 4 metres deep [1].' } },
        says('sisyphus', (request) => {
          const [id] = idsIn(request);
          if (id === undefined) return calls(spawn('librarian', 'How deep is a canal?'));
          const collected = resultsIn(request).join('\n');
          return collected.includes('LIBRARIAN_COMPLETE') ? { say: collected } : call('agent__collect', { id });
        }),
      ],
      async ({ cairn, folder }) => {
        allowFetchingHere(folder);
        const { status, out, err } = await cairn([...headless, '-a', 'sisyphus', 'How deep are canals?'], {
          env: web.environment,
        });
        assert.equal(status, 0, err);
        assert.match(out, /It is 4 metres deep \[1\]\..*Depths: <http:\/\/127\.0\.0\.1:\d+\/depth>/s);
      },
    ));

  it('deep-research prints its report when no one can be asked, and writes nothing', () =>
    inShell(researchStory({}), async ({ cairn, folder }) => {
      allowFetchingHere(folder);
      const before = readdirSync(folder);
      const { status, out, err } = await cairn([...headless, '-a', 'deep-research', 'How big are canals?'], {
        env: web.environment,
      });
      assert.equal(status, 0, err);
      assert.match(out, /^# Canals\n\n4 metres \[1\], 20 metres \[2\]\.\n[^]*\/width>[^]*RESEARCH_COMPLETE\s*$/);
      assert.deepEqual(
        readdirSync(folder).filter((name) => !before.includes(name) && !name.startsWith('.')),
        [],
      );
    }));
});
