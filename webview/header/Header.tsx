import { safeLine } from '../../src/base/shown/safeText';
import { IconButton } from '../ui/IconButton';
import { useChat, useOpenPart, usePanel } from '../ui/panelContext';
import { MoreMenu } from './MoreMenu';

export function Header() {
  const { chats, parts } = usePanel();
  const title = useChat((state) => safeLine(state.title, 300));
  const isListed = useOpenPart() === 'sessions';
  const toggleList = () => (isListed ? parts.close() : parts.show('sessions'));
  return (
    <header class="header">
      <h1>
        <button type="button" class="session-title" data-role="session-title" title={title} onClick={toggleList}>
          {title === '' ? 'New session' : title}
        </button>
      </h1>
      <IconButton
        icon="add"
        label="New session"
        onClick={() => {
          parts.close();
          chats.newSession();
        }}
      />
      <IconButton icon="history" label="Session history" expanded={isListed} onClick={toggleList} />
      <MoreMenu />
    </header>
  );
}
