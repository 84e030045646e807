import type { ChatEntry } from '../../../src/protocol/chatState';
import { text, tool, user } from './chats';

const SENTENCE = 'The parser never checks that the day exists, and so a date rolls over into the next month. ';
const CODE =
  "```ts\nconst date = new Date(y, m - 1, d);\nif (date.getMonth() !== m - 1) throw new RangeError('no');\n```\n";

/** The requested number of entries, of all sizes. Never three reading tools in a row, so that none are folded. */
export function longChat(count: number): ChatEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `e${at}`;
    if (at % 8 === 0) return user(id, `Question ${at}: why?`);
    if (at % 2 === 1) return tool(id, { title: `Read src/file${at}.ts`, output: `contents ${at}` });
    const code = at % 6 === 0 ? `\n\n${CODE}` : '';
    return text(id, `Answer ${at}. ${SENTENCE.repeat(1 + ((at * 7) % 9))}${code}`);
  });
}
