import type { UserEntry } from '../../../src/protocol/chatState';
import { IconButton } from '../../ui/IconButton';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { MessageEditor } from './MessageEditor';
import { SentItems } from '../../ui/SentItems';

/** What the person wrote. It can be written anew: the session then goes on from there, in a branch. */
export function UserMessage({ entry }: { entry: UserEntry }) {
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
