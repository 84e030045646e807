import { tell } from './findings';

const LLM = 'type: llm, prompt: p';
const END = 'z: { type: end }';
const NEW = { version: '1.1' };

describe('The tools that a node of a graph names', () => {
  tell({
    'must be those of the graph’s list, as in the original': {
      nodes: `a: { ${LLM}, tools: [fs_cat, web_search_tavily, own, of_script, user__input, skill__load], next: z }\n${END}`,
      graph: { more: 'global_tools: [fs_cat.sh, web_search_coyote.sh]' },
      world: { tools: ['own'], toolWords: new Set(['of_script']) },
      finds: ['5:65 error “global_tools” of the graph does not name “own”. Add it there, or remove it here.'],
    },
    'must be in a list, as in the original': {
      nodes: `a: { ${LLM}, tools: [fs_ls], next: z }\n${END}`,
      world: { tools: [] },
      finds: ['5:38 error “global_tools” of the graph does not name “fs_ls”. Add it there, or remove it here.'],
    },
    'are outside the list only with a warning in version 1.1': {
      nodes: `a: { ${LLM}, tools: [fs_ls, fs_cat], next: z }\n${END}`,
      graph: { version: '1.1', more: 'global_tools: [fs_cat.sh]' },
      world: { tools: [] },
      finds: ['5:38 warning “global_tools” of the graph does not name “fs_ls”. Add it there, or remove it here.'],
    },
    'need no list in version 1.1': {
      nodes: `a: { ${LLM}, tools: [fs_ls], next: z }\n${END}`,
      graph: NEW,
      world: { tools: [] },
      finds: [],
    },
  });
});
