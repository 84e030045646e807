import type { ToolResult } from '../../../messages/toolResult';

/** How a step went, in a sentence. `done` and `undone` say what that means here. */
export function outcomeText(result: ToolResult | undefined, done: string, undone: string): string {
  switch (result?.status) {
    case 'ok':
      return done;
    case 'rejected':
      return `${refusal(result.text)} ${undone}`;
    case 'error':
      return `That did not work: ${firstLine(result.text)} ${undone}`;
    case 'cancelled':
    case undefined:
      return `That was interrupted. ${undone}`;
  }
}

function refusal(text: string): string {
  const reason = /\bsaid: ([\s\S]+)$/.exec(text)?.[1]?.trim();
  if (reason) return `You said: “${firstLine(reason)}”`;
  if (/nobody/i.test(text)) return 'Nobody was there to be asked.';
  return text.startsWith('Not allowed') ? 'A rule forbids it.' : 'You refused it.';
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
