import type { FileDiff, ToolDetail, ToolResult } from '../messages/toolResult';

type Strike = (text: string) => string;

/** What came of a call, without what `strike` takes out of its texts. */
export function struckResult(result: ToolResult, strike: Strike): ToolResult {
  return { ...result, text: strike(result.text), detail: result.detail && struckDetail(result.detail, strike) };
}

function struckDetail(detail: ToolDetail, strike: Strike): ToolDetail {
  switch (detail.kind) {
    case 'text':
    case 'file':
      return { ...detail, text: strike(detail.text) };
    case 'command':
      return { ...detail, command: strike(detail.command), output: strike(detail.output) };
    case 'change':
      return { ...detail, diff: struckDiff(detail.diff, strike) };
  }
}

/** A change as the screen shows it, line by line, so that its parts are counted as before. */
export function struckDiff(diff: FileDiff, strike: Strike): FileDiff {
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(strike) })) };
}
