import type { ComponentChildren } from 'preact';
import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { editsWith } from '../../store/selectors';
import { Fold } from '../../ui/Fold';
import { Icon } from '../../ui/Icon';
import { useChat, useOpen } from '../../ui/panelContext';
import { QuestionCard } from '../ask/QuestionCard';
import type { EntryProps } from '../entryProps';
import type { ToolGroup } from '../toolGroups';
import { AskCard } from './AskCard';
import { CommandCard } from './CommandCard';
import { EditCard } from './EditCard';
import { EditsCard } from './EditsCard';
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

/** The line of a group; its first tool stands below it, the others are entries of their own. */
function GroupLine({ group, children }: { group: ToolGroup; children: ComponentChildren }) {
  const [open, setOpen] = useOpen(`group:${group.id}`, false);
  return (
    <>
      <Fold open={open} onToggle={setOpen} lead="arrow">
        <span class="fold-title">{group.summary}</span>
      </Fold>
      {open && <div class="group-first">{children}</div>}
    </>
  );
}

/** A question that was asked, and the answer that was given. */
function AnsweredLine({ entry }: { entry: ToolEntry }) {
  const { detail, output, title } = entry;
  const answer = detail?.kind === 'text' ? detail.text : output;
  return (
    <div class="answered">
      <span class="lead">
        <Icon name="question" />
      </span>
      <div class="answered-text">
        <p dir="auto">{title.replace(/^(?:Ask|Confirm|Choose): /, '')}</p>
        <p class="answer" dir="auto">
          {answer.replace(/^The person answered: /, '')}
        </p>
      </div>
    </div>
  );
}
