/** What the tour says. Sentence case, no exclamation marks; every claim is true of the real product. */

export const TODOS = ['Look around and read a file', 'Propose a small edit', 'Run a harmless command'];

/** Works the same in sh, bash, zsh, and cmd, and only echoes. */
export const COMMAND =
  'echo Hello from a real shell in your folder && echo These lines arrive as they are printed && echo That was all';

export const QUESTION = 'What would you like to do first with a real model?';

/** The answers to choose from, with the tour's response to each. */
export const ANSWERS: ReadonlyMap<string, string> = new Map([
  [
    'Understand this code',
    'A good start: ask where something happens, and the agent reads its way there and names the files.',
  ],
  ['Change some code', 'Then you will meet the approval card again: every edit waits for you, with its difference.'],
  ['Write tests', 'Then the agent will write them, run them with your own command, and read what failed.'],
]);

export const GREETING = `Hello, and welcome to Cairn. My words are scripted and no model is running, but everything you will see me do in this folder is done by the real product.

I keep a short plan and look around first.`;

export function readingText(path: string): string {
  return `There is a \`${path}\` here, so I read it. A model asks for a tool in the same way, by its name and its input:

\`\`\`json
{ "tool": "fs_read", "path": ${JSON.stringify(path)} }
\`\`\`

Each call becomes a card; open it to see what came back.`;
}

export const NOTHING_TO_READ = `I see no small text file here to read. That is no trouble: I will propose to write a file of my own, \`cairn-tour.md\`.`;

export function editText(kind: 'add' | 'remove' | 'create', path: string): string {
  const what = {
    add: `I propose one more line under the first heading of \`${path}\`.`,
    remove: `The line of an earlier tour is still in \`${path}\`, so I propose to take it out again.`,
    create: `I propose a small new file, \`${path}\`.`,
  };
  return `Now a small edit. ${what[kind]} Look at the difference, then accept it, or refuse it and say why. I am told the reason.`;
}

export const COMMAND_TEXT = 'Next comes a command. It prints three lines and changes nothing.';

export const QUESTION_TEXT = 'Last, a question, so that you see how an agent asks one.';

export const HOW_TO_GO_ON =
  'To work with a real model, run the command **Cairn: Set API Key**, or choose a model that is ready in the model list. Write *tour* to see this again.';

export const NO_MODEL = `I am the scripted tour, so I cannot answer that: there is no model behind my words. ${HOW_TO_GO_ON}`;
