import assert from 'node:assert/strict';
import { findingsIn, foundIn, graphWith, scriptsOf, tell } from './findings';

const LLM = 'type: llm, prompt: p';
const END = 'z: { type: end }';
const NEW = { version: '1.1' };
const LIST = 'initial_state: { list: [1] }';
const PRINTS_NOTHING = scriptsOf({ 'a.sh': 'echo "{}"' });
const CHOOSES = '{ type: approval, question: q, options: [again], routes: { again: a }, on_other: z }';

describe('The nodes named in a graph', () => {
  it('must exist, in every field', async () => {
    const nodes = `a: { ${LLM}, next: [b, zz], fallback: bb }
b: { type: approval, question: q, options: [yes please], routes: { yes please: cc }, on_other: dd }
c: { type: map, over: "{{initial_prompt}}", as: x, branch: ee, collect_into: all, next: z }
${END}`;
    const found = await foundIn(graphWith(nodes));
    assert.deepEqual(
      found.filter((one) => one.includes('does not exist')),
      [
        '5:40 error “next” names the node “zz”, which does not exist. Did you mean “z”?',
        '5:55 error “fallback” names the node “bb”, which does not exist. Did you mean “b”?',
        '6:82 error “routes.yes please” names the node “cc”, which does not exist. Did you mean “c”?',
        '6:98 error “on_other” names the node “dd”, which does not exist. The nodes are “a”, “b”, “c” and “z”.',
        '7:62 error “branch” names the node “ee”, which does not exist. The nodes are “a”, “b”, “c” and “z”.',
      ],
    );
  });

  it('are reported with a suggestion and the node that names them', async () => {
    const [found] = await findingsIn(graphWith(`a: { ${LLM}, next: zeta }\nzetta: { type: end }`));
    assert.ok(found);
    assert.equal(found.node, 'a');
    assert.deepEqual(found.meant, { written: 'zeta', instead: 'zetta' });
  });

  tell({
    'must be reachable from the start': {
      nodes: `a: { ${LLM}, next: z }\nb: { ${LLM}, next: z }\n${END}`,
      finds: [
        '6:3 warning Nothing leads to “b” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: b',
      ],
    },
    'are reachable from a script that mentions them': {
      nodes: `a: { type: script, script: a.sh }\nb: { ${LLM}, next: z }\nc: { ${LLM}, next: z }\n${END}`,
      world: scriptsOf({ 'a.sh': 'to=b\necho "{\\"_next\\": \\"$to\\"}"' }),
      finds: [
        '7:3 warning Nothing leads to “c” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: c',
      ],
    },
    'are only the declared ones if a script declares them in a comment': {
      nodes: `a: { type: script, script: a.sh }\nb: { ${LLM}, next: z }\nc: { ${LLM}, next: z }\n${END}`,
      world: scriptsOf({ 'a.sh': '#!/bin/bash\n# _next: b, qqq\necho "{\\"_next\\": \\"$1\\"}" # or c' }),
      finds: [
        '5:30 warning Line 2 of a.sh continues with “qqq”, which does not exist. Correct the script, or add the node.',
        '7:3 warning Nothing leads to “c” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: c',
      ],
    },
    'are not taken from a script that only runs for the items of a map': {
      nodes: `a: { type: map, over: "{{l}}", as: x, branch: b, collect_into: all, next: z }\nb: { type: script, script: a.sh }\nc: { ${LLM}, next: z }\n${END}`,
      graph: { more: 'initial_state: { l: [] }\n' },
      world: scriptsOf({ 'a.sh': '# _next: c, qqq' }),
      finds: [
        '7:3 warning Nothing leads to “c” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: c',
      ],
    },
    'are taken from a script that runs both for the items of a map and on its own': {
      nodes: `a: { type: map, over: "{{l}}", as: x, branch: b, collect_into: all, next: d }\nb: { type: script, script: a.sh }\nd: { ${LLM}, next: b }\nc: { ${LLM}, next: z }\n${END}`,
      graph: { more: 'initial_state: { l: [] }\n' },
      world: scriptsOf({ 'a.sh': '# _next: c' }),
      finds: [],
    },
    'must exist when a script continues with them': {
      nodes: `a: { type: script, script: a.py, next: zed }\nzed: { type: end }`,
      world: scriptsOf({ 'a.py': 'import json\nprint(json.dumps({"_next": "zedd"}))' }),
      finds: ['5:30 warning Line 2 of a.py continues with “zedd”, which does not exist. Did you mean “zed”?'],
    },
  });
});

describe('The loops of a graph', () => {
  tell({
    'are only allowed through scripts in version 1.0': {
      nodes: `a: { ${LLM}, next: b }\nb: { ${LLM}, next: [a, z] }\n${END}`,
      finds: [
        '6:37 error Nothing limits the loop a → b → a. In version 1.0 only a script can loop, with “_next”. Write version: "1.1" and give one of these nodes “max_visits”.',
      ],
    },
    'must be limited in version 1.1': {
      nodes: `a: { ${LLM}, next: b }\nb: ${CHOOSES}\n${END}`,
      graph: NEW,
      finds: [
        '6:72 error Nothing limits the loop a → b → a. Give one of these nodes “max_visits”, or write settings.max_loop_iterations.',
      ],
    },
    'can be limited by a node': {
      nodes: `a: { ${LLM}, next: b, max_visits: 3 }\nb: ${CHOOSES}\n${END}`,
      graph: NEW,
      finds: [],
    },
    'can be limited by the graph': {
      nodes: `a: { ${LLM}, next: b }\nb: ${CHOOSES}\n${END}`,
      graph: { ...NEW, more: 'settings: { max_loop_iterations: 5 }' },
      finds: [],
    },
    'are detected when a node leads to itself': {
      nodes: `a: { ${LLM}, next: [a, z] }\n${END}`,
      finds: [
        '5:37 error Nothing limits the loop a → a. In version 1.0 only a script can loop, with “_next”. Write version: "1.1" and give one of these nodes “max_visits”.',
      ],
    },
    'are allowed where a script decides': {
      nodes: `a: { ${LLM}, next: b }\nb: { type: script, script: a.sh, next: z }\n${END}`,
      world: scriptsOf({ 'a.sh': 'echo \'{"_next": "a"}\'' }),
      finds: [],
    },
  });
});

describe('The ends of a graph', () => {
  tell({
    'must exist': {
      nodes: `a: { type: script, script: a.sh, next: a }`,
      finds: [
        '4:1 error The graph has no end, so it never finishes. Add an end node and route to it.',
        '5:42 error Nothing limits the loop a → a. In version 1.0 only a script can loop, with “_next”. Write version: "1.1" and give one of these nodes “max_visits”.',
      ],
    },
    'must be reachable from the start': {
      nodes: `a: { ${LLM}, next: b }\nb: { ${LLM}, next: a, max_visits: 2 }\n${END}`,
      graph: NEW,
      finds: [
        '3:8 warning No end can be reached from the start. Route a node to “z”.',
        '7:3 warning Nothing leads to “z” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: z',
      ],
    },
    'must be reachable from every node': {
      nodes: `a: { type: approval, question: q, options: [x], routes: { x: b }, on_other: z }
b: { ${LLM}, next: c, max_visits: 2 }
c: { ${LLM}, next: b }
${END}`,
      graph: NEW,
      finds: ['6:3 warning No end can be reached from “b”. Route one of the nodes after it to “z”.'],
    },
    'can be reached by a script that computes the next node, with a hint to declare it': {
      nodes: `a: { type: script, script: a.sh }\n${END}`,
      world: scriptsOf({ 'a.sh': 'echo "{\\"_next\\": \\"$(pick)\\"}"' }),
      finds: [
        '6:3 warning Nothing leads to “z” from the start. Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: z',
      ],
    },
  });
});

describe('What a node declares', () => {
  tell({
    'must include the next node, with only a warning in version 1.0': {
      nodes: `a: ${CHOOSES.replace('again: a', 'again: b')}\nb: { type: agent, agent: x, prompt: p }\n${END}`,
      finds: ['6:3 warning “b” has no “next”, so the run fails there. Write “next”.'],
    },
    'must include the next node, with an error in version 1.1': {
      nodes: `a: ${CHOOSES.replace('again: a', 'again: b')}\nb: { type: input, question: q, next: [] }\n${END}`,
      graph: NEW,
      finds: ['6:3 error “b” has no “next”, so the run fails there. Write “next”.'],
    },
    'must include the next node of a script that does not print one': {
      nodes: `a: { type: script, script: a.sh, fallback: z }\n${END}`,
      world: PRINTS_NOTHING,
      finds: ['5:3 warning “a” has no “next”, so the run fails there. Write “next”, or have the script print “_next”.'],
    },
    'has no effect for extra next nodes of a question or the next node of an end': {
      nodes: `a: { type: input, question: q, next: [z, b] }\nb: { type: end, next: z }\n${END}`,
      finds: [
        '5:44 warning After a question only the first node of “next” is used, “z”. Remove the others.',
        '6:19 warning An end has no next node; remove “next”.',
      ],
    },
    'must be an existing script in the agent’s folder, in a supported language': {
      nodes: `a: { type: script, script: a.sh, next: b }
b: { type: script, script: ../b.sh, next: c }
c: { type: script, script: c.rb, next: z }
${END}`,
      world: {
        scripts: new Map([
          ['a.sh', { kind: 'missing' }],
          ['../b.sh', { kind: 'outside', at: '/w/b.sh' }],
          ['c.rb', { kind: 'unreadable', why: 'It is a folder.' }],
        ]),
      },
      finds: [
        '5:30 error The agent’s folder has no file a.sh. Create it, or correct the path.',
        '6:30 warning ../b.sh is outside the agent’s folder: it is /w/b.sh. Put scripts next to graph.yaml.',
        '7:30 warning c.rb cannot be read: It is a folder.',
        '7:30 warning The language of c.rb is unknown. Its name must end in .sh, .py, .ts, or .js.',
      ],
    },
    'must use existing JSON Schema types for the answer': {
      nodes: `a: { type: llm, prompt: p, next: b, output_schema: { type: objekt, properties: { type: { type: [strng, "null"] }, all: { items: { type: list } } } } }\nb: { type: agent, agent: x, prompt: p, next: z, output_schema: { anyOf: [{ type: bool }], enum: [{ type: any }] } }\n${END}`,
      graph: { version: '1.1' },
      finds: [
        '5:62 error JSON Schema has no type “objekt”, so nothing fits it. Did you mean “object”?',
        '5:99 error JSON Schema has no type “strng”, so nothing fits it. Did you mean “string”?',
        '5:139 error JSON Schema has no type “list”, so nothing fits it. The types are object, array, string, number, integer, boolean, null.',
        '6:84 error JSON Schema has no type “bool”, so nothing fits it. The types are object, array, string, number, integer, boolean, null.',
      ],
    },
    'must pass its own validation where it is a default': {
      nodes: `a: { type: input, question: q, default: Al, validation: "len(input) > 3", next: b }\nb: { type: input, question: q, default: "{{initial_prompt}}", validation: "len(input) > 99", next: c }\nc: { type: input, question: q, default: Alan, validation: "len(input) > 3", next: z }\n${END}`,
      finds: ['5:43 warning “default” fails “validation”: The answer must have more than 3 characters; it has 2.'],
    },
    'must include a route for each option': {
      nodes: `a: { type: approval, question: q, options: [yes please, no], routes: { no: z, yes plase: z }, on_other: z, default: nope }\n${END}`,
      graph: NEW,
      finds: [
        '5:47 error The option “yes please” has no route. Add one under “routes”.',
        '5:81 warning The route “yes plase” is not an option, so it is taken only if someone types it. Did you mean “yes please”?',
        '5:119 warning “default” is “nope”, which is not an option, so it leads to “on_other”. The options are “yes please” and “no”.',
      ],
    },
    'must include the documents of a rag node, although Cairn has no knowledge bases yet': {
      nodes: `a: { type: rag, documents: [], next: z }\n${END}`,
      finds: [
        '5:3 warning “a” is a rag node. Cairn has no knowledge bases yet, so the run fails here. Use an agent or llm node that reads the documents.',
        '5:3 warning What “a” finds is not saved. Write it under “state_updates”, for example found: "{{output.context}}".',
        '5:30 error “a” has no documents to search. Name at least one file, folder, or address.',
      ],
    },
    'must allow at least one model request and one running node': {
      nodes: `a: { ${LLM}, max_attempts: 0, max_iterations: 0, next: z }\n${END}`,
      graph: { more: 'settings: { max_concurrency: 0 }' },
      finds: [
        '5:44 warning “max_attempts” is 0, so it may not ask a model. Set it to at least 1, or remove it.',
        '5:63 warning “max_iterations” is 0, so it may not ask a model. Set it to at least 1, or remove it.',
        '7:30 error “max_concurrency” is 0, so nothing can run. Set it to at least 1, or remove it.',
      ],
    },
  });
});

describe('The branch of a map', () => {
  tell({
    'may only write what is collected, and has no next node': {
      nodes: `a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, max_concurrency: 0, next: z }
b: { ${LLM}, fallback: z, next: z, state_updates: { one: "{{item}}", output: "{{output}}" }, output_schema: { properties: { k: {} } } }
${END}`,
      graph: { more: LIST },
      finds: [
        '5:94 error “max_concurrency” is 0, so no item may run. Set it to at least 1, or remove it.',
        '6:40 warning Where “b” fails for an item, the map “a” collects the error and continues; “z” does not run. Route to a script, llm, agent, or command node without “next” to run it for the item.',
        '6:43 error “b” is run by the map “a” for each item, so it has no next node. Remove “next”.',
        '6:69 error What “b” writes to “one” is lost, because the map “a” runs it. Write “output”, which the map collects, or collect “one” by its “output_key”.',
        '6:110 error In version 1.0 a branch of a map has no “output_schema” with keys (“k”). Write version: "1.1".',
      ],
    },
    'may have an output schema in version 1.1, whose keys are local to it, like the item': {
      nodes: `a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, output_key: k, next: z }
b: { type: llm, prompt: "{{item}}", output_schema: { properties: { k: {} } } }
z: { type: end, output: "{{all}} {{k}} {{item}}" }`,
      graph: { ...NEW, more: LIST },
      finds: [
        '7:36 warning Nothing writes “k” before “z”, so it becomes empty. Write it with an earlier node, or in initial_state.',
        '7:42 warning Nothing writes “item” before “z”, so it becomes empty. Write it with an earlier node, or in initial_state.',
      ],
    },
    'must write what is collected': {
      nodes: `a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, output_key: k, next: z }\nb: { ${LLM} }\n${END}`,
      graph: { more: LIST },
      finds: ['5:89 warning The map collects “k”, and “b” does not write it. Write it under “state_updates” of “b”.'],
    },
    'delivers its answer by default (D-1)': {
      nodes: `a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, next: z }\nb: { ${LLM} }\n${END}`,
      graph: { more: LIST },
      finds: [],
    },
    'may have a fallback, to which the same rules apply': {
      nodes: `a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, next: z }
b: { ${LLM}, fallback: c }
c: { type: llm, prompt: "{{item}}", state_updates: { one: "{{output}}" } }
${END}`,
      graph: { more: LIST },
      finds: [
        '7:56 error What “c” writes to “one” is lost, because the map “a” runs it. Write “output”, which the map collects, or collect “one” by its “output_key”.',
      ],
    },
    'cannot be a question, an end or another map': {
      nodes: `a: { type: map, over: "{{list}}", as: i, branch: b, collect_into: all, next: c }
b: { type: approval, question: q, options: [], routes: {}, on_other: z }
c: { type: map, over: "{{list}}", as: i, branch: d, collect_into: all, next: e }
d: { type: input, question: q }
e: { type: map, over: "{{list}}", as: i, branch: z, collect_into: all, next: f }
f: { type: map, over: "{{list}}", as: i, branch: g, collect_into: all, next: z }
g: { type: map, over: "{{list}}", as: i, branch: x, collect_into: all }
x: { ${LLM} }
${END}`,
      graph: { more: LIST },
      finds: [
        '5:52 error “b” cannot be run for each item: it would ask many questions at once. Use a script, llm, agent or rag node.',
        '7:52 error “d” cannot be run for each item: it would ask many questions at once. Use a script, llm, agent or rag node.',
        '9:52 error “z” cannot be run for each item: a branch ends when its item is collected. Use a script, llm, agent or rag node.',
        '10:52 error “g” cannot be run for each item: a map cannot run another map. Use a script, llm, agent or rag node.',
      ],
    },
  });
});

describe('The names in a graph', () => {
  tell({
    'must be those of existing agents': {
      nodes: `a: { type: agent, agent: explor, prompt: p, next: b }\nb: { type: agent, agent: one, prompt: p, next: z }\n${END}`,
      world: { agent: 'one', agents: ['explore', 'one'] },
      finds: [
        '5:28 error There is no agent “explor”. Did you mean “explore”?',
        '6:28 warning “b” starts this graph’s own agent, which would never end. Name another agent.',
      ],
    },
    'must not be those of agents whose graphs start the graph’s own agent again': {
      nodes: `a: { type: agent, agent: helper, prompt: p, next: b }\nb: { type: agent, agent: other, prompt: p, next: z }\n${END}`,
      graph: NEW,
      world: {
        agent: 'one',
        starts: new Map([
          ['helper', [{ agent: 'deeper', isCertain: true }]],
          [
            'deeper',
            [
              { agent: 'helper', isCertain: true },
              { agent: 'one', isCertain: true },
            ],
          ],
          ['other', [{ agent: 'other', isCertain: true }]],
        ]),
      },
      finds: [
        '5:28 error “a” starts this graph’s own agent again: one → helper → deeper → one, which would never end. Name another agent.',
      ],
    },
    'may be those of the graph’s own agent where a run can take another path': {
      nodes: `a: { type: approval, question: q, options: [x], routes: { x: b }, on_other: z }\nb: { type: agent, agent: one, prompt: p, next: c }\nc: { type: agent, agent: helper, prompt: p, next: z }\n${END}`,
      graph: NEW,
      world: { agent: 'one', starts: new Map([['helper', [{ agent: 'one', isCertain: true }]]]) },
      finds: [
        '6:28 warning “b” starts this graph’s own agent, which only ends if a run takes another path. Name another agent.',
        '7:28 warning “c” starts this graph’s own agent again: one → helper → one, which only ends if a run takes another path. Name another agent.',
      ],
    },
    'must be those of existing tools': {
      nodes: `a: { ${LLM}, tools: [fs_grp, own_tool, of_script, zzz_unknown, get_current_weather, "fs_*", fs_cat, agent__send_message], next: z }\n${END}`,
      graph: { more: 'global_tools: [own-tool.sh, "fs_*"]' },
      world: { tools: ['own_tool'], toolWords: new Set(['of_script']) },
      finds: [
        '5:38 error There is no tool “fs_grp”. Did you mean “fs_grep”?',
        '5:67 error There is no tool “zzz_unknown”. Neither Cairn nor a script or an extension provides it.',
        '5:80 warning Cairn has no equivalent of “get_current_weather” from Coyote; the agent works without it unless a script in a folder of tools has this name.',
      ],
    },
    'must include the tool that runs commands if a node runs one': {
      nodes: `a: { ${LLM}, next: b }\nb: { type: command, command: ls, next: c }\nc: { type: command, command: ls, next: z }\n${END}`,
      graph: { version: '1.1', more: 'global_tools: [fs_cat.sh]' },
      finds: ['6:14 error “b” may not run commands. Add execute_command to global_tools of the graph.'],
    },
    'must be those of MCP servers that the graph lists and a file describes': {
      nodes: `a: { ${LLM}, tools: ["mcp:wb", "mcp:web"], next: z }\n${END}`,
      graph: { more: 'mcp_servers: [web, wab]' },
      world: { servers: ['web'] },
      finds: [
        '5:38 error “mcp_servers” of the graph does not name “wb”. Did you mean “web”?',
        '7:20 warning No file describes the MCP server “wab”. Did you mean “web”?',
      ],
    },
    'may be those of any MCP server if the graph lists “all”': {
      nodes: `a: { ${LLM}, tools: ["mcp:wbe", "mcp:web", "mcp:all"], next: z }\n${END}`,
      graph: { more: 'mcp_servers: [all]' },
      world: { servers: ['web'] },
      finds: ['5:38 warning No file describes the MCP server “wbe”. Did you mean “web”?'],
    },
    'must be those of existing model providers, with any model': {
      nodes: `a: { ${LLM}, model: "opnai:gpt", next: z }\n${END}`,
      graph: { more: 'model: openai:whatever' },
      world: { models: { providers: ['openai', 'anthropic'], listed: ['openai:gpt-x'] } },
      finds: ['5:37 error There is no provider “opnai” for the model “opnai:gpt”. Did you mean “openai”?'],
    },
    'must be those of existing skills that the graph enables': {
      nodes: `a: { ${LLM}, enabled_skills: [git-mastr, "", "b d", other], next: z }\n${END}`,
      graph: { more: 'enabled_skills: [git-master, none-such]' },
      world: { skills: ['git-master', 'other'] },
      finds: [
        '5:47 error There is no skill “git-mastr”. Did you mean “git-master”?',
        '5:58 error This skill name is empty. Remove it.',
        '5:62 error “b d” cannot be a skill. Skill names have up to 64 letters, digits, dashes, and underscores.',
        '5:69 error “enabled_skills” of the graph does not name “other”. It names “git-master” and “none-such”. Add it there, or remove it here.',
        '7:30 error There is no skill “none-such”. Create it, or remove it here.',
      ],
    },
    'are not checked when the existing ones are unknown': {
      nodes: `a: { ${LLM}, tools: [x_y], model: "no:model", enabled_skills: [b], next: b }\nb: { type: agent, agent: x, prompt: p, next: z }\n${END}`,
      finds: [],
    },
  });
});
