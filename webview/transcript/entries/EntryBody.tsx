import { assertNever } from '../../../src/base/assertNever';
import type { ThinkingEntry, UserEntry } from '../../../src/protocol/chatState';
import { Fold } from '../../ui/Fold';
import { IconButton } from '../../ui/IconButton';
import { SentItems } from '../../ui/SentItems';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { thinkingWords } from '../entryLabel';
import type { EntryProps } from '../entryProps';
import { AgentCard } from '../tools/AgentCard';
import { ToolBlock } from '../tools/ToolBlock';
import { MessageEditor } from './MessageEditor';
import { NoticeBlock } from './NoticeBlock';
import { TurnSummary } from './TurnSummary';

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

function ThinkingLine({ entry }: { entry: ThinkingEntry }) {
  const [open, setOpen] = useOpen(entry.id, false);
  return (
    <>
      <Fold open={open} onToggle={entry.text === '' ? undefined : setOpen} lead="arrow">
        <span class={entry.streaming ? 'fold-title pulse' : 'fold-title'}>
          {thinkingWords(entry.streaming, entry.durationMs)}
        </span>
      </Fold>
      {open && (
        <div class="fold-body thinking-text" dir="auto">
          {entry.text}
        </div>
      )}
    </>
  );
}

/** What the person wrote. It can be written anew: the session then goes on from there, in a branch. */
function UserMessage({ entry }: { entry: UserEntry }) {
  const { view } = usePanel();
  const [editing, setEditing] = useOpen(`edit:${entry.id}`, false);
  const isRunning = useChat((state) => state.run !== null);
  const edit = () => {
    if (view.draft(`edit:${entry.id}`) === '') view.setDraft(`edit:${entry.id}`, entry.text);
    setEditing(true);
  };
  if (editing) return <MessageEditor entry={entry} close={() => setEditing(false)} />;
  return (
    <div class="user" title={new Date(entry.time).toLocaleString()}>
      <h2 class="visually-hidden">You</h2>
      {entry.steering && <p class="caption">Added while working</p>}
      {entry.text !== '' && (
        <div class="user-text" dir="auto">
          {entry.text}
        </div>
      )}
      <SentItems items={entry.items} />
      {!entry.steering && !isRunning && (
        <div class="user-actions">
          <IconButton icon="edit" label="Edit message" title="Edit and go on from here" onClick={edit} />
        </div>
      )}
    </div>
  );
}
