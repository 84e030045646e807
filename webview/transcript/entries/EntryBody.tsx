import { assertNever } from '../../../src/base/assertNever';
import type { EntryProps } from '../entryProps';
import { AgentCard } from '../tools/AgentCard';
import { ToolBlock } from '../tools/ToolBlock';
import { NoticeBlock } from './NoticeBlock';
import { ThinkingLine } from './ThinkingLine';
import { TurnSummary } from './TurnSummary';
import { UserMessage } from './UserMessage';

/** What stands in an entry's article. Text entries draw themselves. */
export function EntryBody(props: EntryProps) {
  const { entry } = props;
  switch (entry.kind) {
    case 'user':
      return <UserMessage entry={entry} />;
    case 'thinking':
      return <ThinkingLine entry={entry} />;
    case 'tool':
      return <ToolBlock {...props} entry={entry} />;
    case 'agent':
      return <AgentCard entry={entry} />;
    case 'notice':
      return <NoticeBlock entry={entry} />;
    case 'turn':
      return <TurnSummary entry={entry} />;
    case 'text':
      return null;
    default:
      return assertNever(entry);
  }
}
