import { IconButton } from '../IconButton';
import { useChat, usePanel } from '../panelContext';

export function Header() {
  const { chats, editor } = usePanel();
  const title = useChat((state) => state.title);
  const openHistory = () => editor.runCommand('openSession');
  return (
    <header class="header">
      <h1>
        <button type="button" class="session-title" data-role="session-title" title={title} onClick={openHistory}>
          {title === '' ? 'New session' : title}
        </button>
      </h1>
      <IconButton icon="add" label="New session" onClick={() => chats.newSession()} />
      <IconButton icon="history" label="Session history" onClick={openHistory} />
    </header>
  );
}
