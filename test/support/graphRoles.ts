import type { ModelRequest } from './modelServer/modelRequest';
import type { Step, Story, StoryStep } from './modelServer/story';

/** Whether a request comes from a node, recognized by its instructions. */
const atNode =
  (pattern: RegExp) =>
  ({ messages }: ModelRequest): boolean =>
    pattern.test(messages[0]?.text ?? '');

/** The nodes of librarian that ask a model. */
export const LIBRARIAN_NODES = {
  triage: atNode(/You prepare a question/),
  search_docs: atNode(/in documentation by those who make/),
  search_code: atNode(/in public source code: the repository/),
  synthesize: atNode(/You answer a question from numbered sources/),
};

/** The nodes of deep-research that ask a model. */
export const RESEARCH_NODES = {
  plan: atNode(/You plan a piece of research/),
  orient: atNode(/You read up on a topic/),
  research: atNode(/You research one question/),
  vet: atNode(/You rate sources/),
  critique: atNode(/You judge whether findings/),
  write: atNode(/You are report-writer/),
  verify: atNode(/You check a report against/),
  replan: atNode(/A user read a report/),
  save: atNode(/You write a text into a file/),
};
export type ResearchNode = keyof typeof RESEARCH_NODES;

export const callOf = (name: string, input: Record<string, unknown>): Step => ({ call: [{ name, arguments: input }] });
export const saysJson = (value: unknown): Step => ({ say: JSON.stringify(value) });
export const resultsOf = ({ messages }: ModelRequest) =>
  messages.flatMap((message) => message.results.map(({ text }) => text));
/** The prompt of a node. */
export const promptOf = ({ messages }: ModelRequest) => messages.find(({ role }) => role === 'user')?.text ?? '';

export const stepOf = (step: StoryStep, request: ModelRequest): Step =>
  typeof step === 'function' ? step(request) : step;

/** Plays the steps in order, repeating the last one. */
export function inTurn(...steps: readonly StoryStep[]): StoryStep {
  let at = 0;
  return (request) => stepOf(steps[Math.min(at++, steps.length - 1)] ?? {}, request);
}

/** A page of `smallWeb` that was found and fetched; until then, the next call to make. */
export function opened(
  request: ModelRequest,
  query: string,
): { call: Step } | { call?: never; url: string; title: string; text: string } {
  const [found, page] = resultsOf(request);
  if (found === undefined) return { call: callOf('web_search', { query }) };
  const url = /http:\/\/127\.0\.0\.1\S+/.exec(found)?.[0] ?? '';
  if (page === undefined) return { call: callOf('fetch_url', { url }) };
  const [, title = '', text = page] = /<page>\n(.*)\n\n([^]*)\n<\/page>/.exec(page) ?? [];
  return { url, title, text };
}

/** Answers "What is the WORD?" from the page found for the word. */
function researches(request: ModelRequest): Step {
  const page = opened(request, /What is the (\w+)\?/.exec(promptOf(request))?.[1] ?? '');
  if (page.call) return page.call;
  const { url, title, text } = page;
  return saysJson({ answer: `${text} [1]`, sources: [{ url, title, says: text }], gaps: '', trouble: '' });
}

const HERE = /http:\/\/127\.0\.0\.1:\d+\/\w+/g;

function vets(request: ModelRequest): Step {
  const addresses = promptOf(request).match(HERE) ?? [];
  if (resultsOf(request).length === 0) return callOf('classify_sources', { addresses });
  const numbers = [...promptOf(request).matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
  return saysJson({ ratings: numbers.map((number) => ({ number, trust: 'medium', reason: 'Unknown host' })) });
}

/** Opens only the first source. */
function verifies(request: ModelRequest): Step {
  const [url = ''] = promptOf(request).match(HERE) ?? [];
  if (resultsOf(request).length === 0) return callOf('fetch_url', { url });
  return saysJson({ verified: [1], doubts: [] });
}

export function savesReport(request: ModelRequest): Step {
  const [, path = '', contents = ''] = /The path: (.*)\n<text>\n([^]*)\n<\/text>/.exec(promptOf(request)) ?? [];
  return resultsOf(request).length === 0 ? callOf('fs_write', { path, contents }) : { say: 'It was written.' };
}

export const aboutThe = (word: string) => ({ question: `What is the ${word}?`, purpose: 'To know it' });

/** How research on the depth and width of canals goes when nothing fails. */
const USUAL_RESEARCH: Readonly<Record<ResearchNode, StoryStep>> = {
  plan: saysJson({ questions: [aboutThe('depth'), aboutThe('width')] }),
  orient: saysJson({ background: 'A canal is a waterway.', background_sources: [] }),
  research: researches,
  vet: vets,
  critique: saysJson({ verdict: 'pass', feedback: '', questions: [] }),
  write: { say: '# Canals\n\n4 metres [1], 20 metres [2].' },
  verify: verifies,
  replan: saysJson({ questions: [], instruction: '' }),
  save: savesReport,
};

/** The pages for the usual research. */
export const CANALS = {
  '/depth': { title: 'Depths', body: '<p>The depth is 4 metres.</p>' },
  '/width': { title: 'Widths', body: '<p>The width is 20 metres.</p>' },
  '/cost': { title: 'Costs', body: '<p>The cost was 7 million.</p>' },
};

/** The usual research, with different steps at some nodes. */
export function researchStory(instead: Partial<Record<ResearchNode, StoryStep>>): Story {
  const steps = new Map(Object.entries({ ...USUAL_RESEARCH, ...instead }));
  return Object.entries(RESEARCH_NODES).map(([node, when]) => ({
    when,
    step: (request) => stepOf(steps.get(node) ?? {}, request),
  }));
}
