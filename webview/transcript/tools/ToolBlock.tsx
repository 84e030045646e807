import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import type { EntryProps } from '../entryProps';
import { QuestionCard } from '../ask/QuestionCard';
import { editsWith } from '../../store/selectors';
import { AnsweredLine } from './AnsweredLine';
import { AskCard } from './AskCard';
import { CommandCard } from './CommandCard';
import { useChat } from '../../ui/panelContext';
import { EditCard } from './EditCard';
import { EditsCard } from './EditsCard';
import { GroupLine } from './GroupLine';
import { ToolLine } from './ToolLine';

/** A tool as it deserves: a line for what only looked, a card where the person may act or something runs. */
export function ToolBlock(props: EntryProps & { entry: ToolEntry }) {
  const { entry, approval, question, leads, grouped, settled } = props;
  const together = useChat((state) => editsWith(state, entry.id));
  if (together) return together[0] === entry.id ? <EditsCard together={together} /> : null;
  if (question) return <QuestionCard question={question} />;
  const diff = approval?.diff ?? (entry.detail?.kind === 'change' ? entry.detail.diff : null);
  if (diff) return <EditCard entry={entry} diff={diff} approval={approval} />;
  const command = commandOf(entry, approval);
  if (command !== null) return <CommandCard entry={entry} command={command} approval={approval} settled={settled} />;
  if (approval) return <AskCard entry={entry} approval={approval} />;
  if (entry.category === 'user' && entry.status === 'ok') return <AnsweredLine entry={entry} />;
  if (!leads) return <ToolLine entry={entry} grouped={grouped} />;
  return (
    <GroupLine group={leads}>
      <ToolLine entry={entry} grouped />
    </GroupLine>
  );
}

function commandOf(entry: ToolEntry, approval: PendingApproval | null): string | null {
  if (entry.detail?.kind === 'command') return entry.detail.command;
  if (approval?.command) return approval.command;
  // Until it runs, the title is all that is known: "Run npm test".
  return entry.category === 'execute' ? entry.title.replace(/^Run(?:ning)? /, '') : null;
}
