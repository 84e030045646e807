import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import {
  aboutThe,
  CANALS,
  callOf,
  inTurn,
  promptOf,
  RESEARCH_NODES,
  type ResearchNode,
  researchStory,
  resultsOf,
  savesReport,
  saysJson,
} from '../../support/graphRoles';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { StoryStep } from '../../support/modelServer/story';
import { type ScriptWorld, withScripts } from '../../support/scriptWorld';
import { FETCHES_HERE, type SmallWeb, startSmallWeb } from '../../support/smallWeb';
import { webTools } from '../../support/webTools';

describe('deep-research', function () {
  this.timeout(60_000);
  let web: SmallWeb;
  beforeEach(async () => void (web = await startSmallWeb(CANALS)));
  afterEach(() => web.close());

  interface Asked {
    nodes?: Partial<Record<ResearchNode, StoryStep>>;
    answers?: readonly string[];
    prompt?: string;
    environment?: Readonly<Record<string, string>>;
    more?: Parameters<typeof withScripts>[0];
  }

  interface Seen {
    answer: string;
    questions: readonly string[];
    ran: readonly string[];
    world: ScriptWorld;
    /** The prompts of a node. */
    asked: (node: ResearchNode) => string[];
  }

  async function researches(
    { nodes = {}, answers = [], prompt = 'How big are canals?', environment, more }: Asked,
    use: (seen: Seen) => Promise<void> | void,
  ): Promise<void> {
    const story = researchStory(nodes);
    const left = [...answers];
    const questions: string[] = [];
    const answer = ({ question }: { question: string }) => {
      questions.push(question);
      const text = left.shift();
      return text === undefined ? { kind: 'nobody' as const } : { kind: 'answered' as const, texts: [text] };
    };
    const beside = webTools(environment ?? web.environment);
    const options = { story, answer, beside, rules: [FETCHES_HERE], ...more };
    await withScripts(options, async (world) => {
      const { outcome, events } = await world.play(prompt, { agent: 'deep-research' });
      await use({
        answer: outcome.kind === 'completed' ? outcome.answer.trim() : JSON.stringify(outcome),
        ...{ questions, ran: ranOf(events), world },
        asked: (node) => world.server.requests.filter(RESEARCH_NODES[node]).map(promptOf),
      });
    });
  }

  const ranOf = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => (event.type === 'node-finished' ? [event.node] : []));

  it('researches all questions, rates its sources, and ends with a report whose sources it reopened', () =>
    researches({ answers: ['Accept'] }, ({ answer, questions, ran, asked, world }) => {
      const list = `Sources:\n\n1. Depths: <${web.url}/depth>\n2. Widths: <${web.url}/width>`;
      const verified = 'Cited sources that were opened again and say what they are cited for: 1 of 2.';
      const report = `# Canals\n\n4 metres [1], 20 metres [2].\n\n${list}\n\n${verified}`;
      assert.equal(answer.replace(/\n{3,}/g, '\n\n'), `${report}\n\nRESEARCH_COMPLETE`);
      assert.equal(
        questions[0]?.trim(),
        `Is this report good? If not, say what to change or to look into.\n\n${report}`,
      );
      assert.deepEqual(
        ran.filter((node) => node !== 'research_question'),
        [
          ...['parse', 'begin', 'orient', 'plan', 'research', 'combine', 'vet', 'critique', 'reflect'],
          ...['write', 'check_report', 'verify_sources', 'after_verifying', 'approve', 'accepted'],
        ].toSorted((one, other) => ran.indexOf(one) - ran.indexOf(other)),
      );
      assert.match(asked('write')[0] ?? '', /The width is 20 metres\. \[2\]/);
      assert.match(asked('write')[0] ?? '', /"trust":"medium"/);
      const vetted = world.server.requests.filter(RESEARCH_NODES.vet).flatMap(resultsOf);
      assert.match(vetted[0] ?? '', /"kind": ?"unknown"/);
    }));

  it('asks for a topic until there is one', () =>
    researches(
      { prompt: 'Research a question that I will name', answers: ['?', 'How big are canals?', 'Discard'] },
      ({ answer, questions, asked }) => {
        assert.match(questions[0] ?? '', /^What shall be researched\?/);
        assert.match(questions[1] ?? '', /^The answer must have at least 3 characters/);
        assert.match(asked('plan')[0] ?? '', /The topic:\nHow big are canals\?/);
        assert.equal(answer, 'The report was discarded, and nothing was saved.\n\nRESEARCH_REJECTED');
      },
    ));

  it('returns to research for what is missing, up to a limit, and never repeats a question', () => {
    const missing = (word: string) =>
      saysJson({ verdict: 'revise', feedback: 'Careful.', questions: [aboutThe(word)] });
    return researches(
      { nodes: { critique: inTurn(missing('cost'), missing('depth')) }, answers: ['Accept'] },
      ({ answer, ran, asked }) => {
        assert.match(answer, /RESEARCH_COMPLETE$/);
        assert.equal(ran.filter((node) => node === 'research').length, 2);
        assert.match(asked('critique')[1] ?? '', /The cost was 7 million\. \[3\]/);
        assert.equal(web.asked.filter((path) => path === '/depth').length, 2, 'once to read, once to verify');
      },
    );
  });

  it('sends back a report with invalid or unsupported citations', () => {
    const doubt = { verified: [2], doubts: [{ number: 1, doubt: 'It says 4 feet.' }] };
    const write = inTurn({ say: 'It is 4 [9].' }, { say: 'It is 4 metres [1], 20 [2].' });
    return researches({ nodes: { write, verify: saysJson(doubt) }, answers: ['Accept'] }, ({ answer, asked }) => {
      const [, second, third, ...more] = asked('write');
      assert.match(second ?? '', /It cites no source\. It cites \[9\], and there is no such source\./);
      assert.match(third ?? '', /do not say what they are cited for: \[1\]: It says 4 feet\./);
      assert.deepEqual(more, []);
      assert.match(answer, /they are cited for: 1 of 2\..*In doubt:\n\n- \[1\]: It says 4 feet\.\n/s);
    });
  });

  it('treats feedback on the report as another round, and asks again', () => {
    const replan = inTurn(
      saysJson({ questions: [aboutThe('cost')], instruction: 'Add the cost.' }),
      saysJson({ questions: [], instruction: 'Make it shorter.' }),
    );
    return researches(
      { nodes: { replan }, answers: ['What did it cost?', 'Shorter.', 'Accept'] },
      ({ answer, questions, ran, asked }) => {
        assert.match(answer, /RESEARCH_COMPLETE$/);
        assert.equal(questions.length, 3);
        assert.deepEqual([ran.filter((one) => one === 'research').length, asked('write').length], [2, 3]);
        assert.match(
          asked('write')[1] ?? '',
          /\["What did it cost\?"\]\nAdd the cost\..*The cost was 7 million\. \[3\]/s,
        );
        assert.match(asked('write')[2] ?? '', /"Shorter\."\]\nMake it shorter\./);
      },
    );
  });

  it('saves the report, and says so only if the file exists', async () => {
    const files = ['Accept and save'];
    await researches({ answers: files }, async ({ answer, world }) => {
      assert.match(answer, /Saved as research\/how-big-are-canals\.md\.\n\nRESEARCH_COMPLETE$/);
      assert.match(await world.read('research/how-big-are-canals.md'), /^# Canals\n\n.*Sources:\n\n1\. Depths/s);
    });
    const save = inTurn((request: ModelRequest) => {
      const step = savesReport(request);
      return step.call ? callOf('fs_write', { path: 'research/how-big-are-canals.md', contents: '# Canals' }) : step;
    });
    await researches({ answers: files, nodes: { save } }, ({ answer }) =>
      assert.match(answer, /What stands in research\/how-big-are-canals\.md differs from this report\./),
    );
    await researches({ answers: files, nodes: { save: { say: 'I had no leave.' } } }, async ({ answer, world }) => {
      assert.match(answer, /The report was not saved\. I had no leave\.\n\nRESEARCH_COMPLETE$/);
      await assert.rejects(world.read('research/how-big-are-canals.md'));
    });
  });

  it('overwrites no file, and asks only about searching the web and saving', () => {
    const own = 'research/how-big-are-canals.md';
    const more = { approvalMode: 'everything', files: { [own]: 'Mine.' } } as const;
    return researches({ answers: ['Accept and save'], more }, async ({ answer, world }) => {
      assert.match(answer, /Saved as research\/how-big-are-canals-2\.md\./);
      assert.equal(await world.read(own), 'Mine.');
      assert.deepEqual([...new Set(world.asked.map(({ tool }) => tool))].toSorted(), ['fs_write', 'web_search']);
    });
  });

  it('writes no report without sources, and explains why there are none', () => {
    const research = (request: ModelRequest) => {
      const [refused] = resultsOf(request);
      if (refused === undefined) return callOf('web_search', { query: 'x' });
      return saysJson({ answer: 'From memory: 4 metres.', sources: [], gaps: '', trouble: refused });
    };
    return researches({ nodes: { research }, environment: { CAIRN_WEB_SEARCH: 'exa' } }, ({ answer, asked }) => {
      assert.match(answer, /^No source was found, so there is no report\.\n\n.*EXA_API_KEY is not set/);
      assert.match(answer, /RESEARCH_FAILED$/);
      assert.deepEqual(asked('write'), []);
    });
  });

  it('accepts its report without saving it when no one can be asked', () =>
    researches({}, ({ answer, asked }) => {
      assert.match(answer, /RESEARCH_COMPLETE$/);
      assert.deepEqual(asked('save'), []);
    }));
});
