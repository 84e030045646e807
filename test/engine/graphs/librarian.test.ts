import assert from 'node:assert/strict';
import { callOf, LIBRARIAN_NODES, opened, resultsOf, saysJson } from '../../support/graphRoles';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Story, StoryStep } from '../../support/modelServer/story';
import { type ScriptWorld, withScripts } from '../../support/scriptWorld';
import { FETCHES_HERE, type SmallWeb, startSmallWeb } from '../../support/smallWeb';
import { webTools } from '../../support/webTools';

const PAGES = {
  '/manual': { title: 'Kettle [manual]', body: '<h1>Boiling</h1><p>Call boil({ degrees }) with up to 100.</p>' },
  '/repo/test.js': { title: 'Kettle tests', body: '<pre>kettle.boil({ degrees: 90 })</pre>' },
};
const TRIAGE = {
  subject: 'kettle (npm)',
  version_in_use: '2.1.0',
  question: 'How does one set the temperature of kettle 2.1?',
  docs_query: 'boiling',
  code_query: 'tests',
};

/** Searches, opens the page that was found, and reports its text. */
const finds = (kind: 'docs' | 'code', query: string) => (request: ModelRequest) => {
  const page = opened(request, query);
  if (page.call) return page.call;
  const { url, title, text } = page;
  return saysJson({ [`${kind}_sources`]: [{ url, title, says: text }], [`${kind}_trouble`]: '' });
};
const nothing = (kind: 'docs' | 'code', trouble = '') =>
  saysJson({ [`${kind}_sources`]: [], [`${kind}_trouble`]: trouble });
/** Passes on the reason why a search was rejected. */
const cannotSearch = (kind: 'docs' | 'code') => (request: ModelRequest) => {
  const [refused] = resultsOf(request);
  return refused === undefined ? callOf('web_search', { query: 'x' }) : nothing(kind, refused);
};

describe('librarian', function () {
  this.timeout(60_000);
  let web: SmallWeb;
  beforeEach(async () => void (web = await startSmallWeb(PAGES)));
  afterEach(() => web.close());

  const told = (docs: StoryStep, code: StoryStep, answer: StoryStep): Story => [
    { when: LIBRARIAN_NODES.triage, step: saysJson(TRIAGE) },
    { when: LIBRARIAN_NODES.search_docs, step: docs },
    { when: LIBRARIAN_NODES.search_code, step: code },
    { when: LIBRARIAN_NODES.synthesize, step: answer },
  ];

  async function asks(
    story: Story,
    use: (answer: string, world: ScriptWorld) => void,
    environment: Readonly<Record<string, string>> = web.environment,
  ) {
    await withScripts({ story, rules: [FETCHES_HERE], beside: webTools(environment) }, async (world) => {
      const { outcome } = await world.play('How hot can a kettle be?', { agent: 'librarian' });
      use(outcome.kind === 'completed' ? outcome.answer.trim() : JSON.stringify(outcome), world);
    });
  }

  it('searches documentation and code in parallel, and lists the sources that the answer cites', () =>
    asks(
      told(finds('docs', 'boiling'), finds('code', 'tests'), { say: 'Up to 100 [1], as `a[7]` does [2].' }),
      (answer, { server }) => {
        const list = `Sources:\n\n1. Kettle \\[manual\\]: <${web.url}/manual>\n2. Kettle tests: <${web.url}/repo/test.js>`;
        assert.equal(answer, `Up to 100 [1], as \`a[7]\` does [2].\n\n${list}\n\nLIBRARIAN_COMPLETE`);
        assert.deepEqual(web.asked.toSorted(), ['/manual', '/repo/test.js', '/search boiling', '/search tests']);
        const { messages } = server.requests.find(LIBRARIAN_NODES.synthesize) ?? {};
        assert.match(messages?.[1]?.text ?? '', /Call boil\(\{ degrees \}\) with up to 100/);
        assert.match(messages?.[1]?.text ?? '', /Version in use, if known: 2\.1\.0/);
        const looking = server.requests.filter(
          (one) => LIBRARIAN_NODES.search_docs(one) || LIBRARIAN_NODES.search_code(one),
        );
        assert.ok(looking.every(({ tools }) => tools.toSorted().join() === 'fetch_url,web_search'));
      },
    ));

  it('sends back an answer with invalid citations, and finally names them', () => {
    const answers = ['It is 100.', 'It is 100 [3].', 'It is 100 [1], says https://other.example/x.'];
    return asks(
      told(finds('docs', 'boiling'), nothing('code'), () => ({ say: answers.shift() ?? '' })),
      (answer, { server }) => {
        assert.match(
          answer,
          /^The answer below does not hold to its sources.*https:\/\/other\.example\/x, which is none/,
        );
        assert.match(answer, /It is 100 \[1\].*LIBRARIAN_FAILED$/s);
        const asked = server.requests.filter(LIBRARIAN_NODES.synthesize).map(({ messages }) => messages[1]?.text ?? '');
        assert.match(asked[1] ?? '', /It cites no source\.\n.*\nIt is 100\.\n$/s);
        assert.match(asked[2] ?? '', /It cites \[3\], and there is no such source\./);
      },
    );
  });

  it('lists only web addresses, once each, with titles that cannot break the list', () => {
    const hostile = [
      { url: 'javascript:alert(1)', title: 'A', says: 'x' },
      { url: 'https://me:secret@a.example/', title: 'B', says: 'x' },
      { url: 'no address', title: 'C', says: 'x' },
      { url: 'https://a.example/one#top', title: 'One](https://evil.example)\n# Two', says: 'first' },
      { url: 'https://a.example/one#end', title: 'Again', says: 'second' },
      { url: 'https://a.example/said/nothing', title: 'D', says: ' ' },
      { url: 'https://a.example/x>y', title: '', says: 'third' },
    ];
    const docs = saysJson({ docs_sources: hostile, docs_trouble: '' });
    return asks(told(docs, nothing('code'), { say: 'So it is [1, 2].' }), (answer, { server }) => {
      const list = [
        '1. One\\](evil.example) # Two: <https://a.example/one>',
        '2. a.example/x%3Ey: <https://a.example/x%3Ey>',
      ];
      assert.equal(answer, `So it is [1, 2].\n\nSources:\n\n${list.join('\n')}\n\nLIBRARIAN_COMPLETE`);
      assert.match(server.requests.find(LIBRARIAN_NODES.synthesize)?.messages[1]?.text ?? '', /first\\nsecond/);
    });
  });

  it('gives no answer when nothing can be searched, and says what is missing', () =>
    asks(
      told(cannotSearch('docs'), cannotSearch('code'), { say: 'I remember that it is 100.' }),
      (answer, { server }) => {
        assert.match(answer, /^No source was found that answers the question, so it is not answered\.\n\n/);
        assert.match(answer, /CAIRN_WEB_SEARCH is exa, but EXA_API_KEY is not set\. Tell the user/);
        assert.match(answer, /LIBRARIAN_FAILED$/);
        assert.equal(server.requests.filter(LIBRARIAN_NODES.synthesize).length, 0);
      },
      { CAIRN_WEB_SEARCH: 'exa' },
    ));

  it('answers from one search when the other fails, and says so', () =>
    asks(told(finds('docs', 'boiling'), { fail: { status: 400 } }, { say: 'Up to 100 [1].' }), (answer) => {
      assert.match(answer, /^Up to 100 \[1\]\.\n\nSources:\n\n1\. .*\/manual>\n\nNot everything could be searched: /);
      assert.match(answer, /Public code was not searched to its end: .*\n\nLIBRARIAN_COMPLETE$/);
    }));
});
