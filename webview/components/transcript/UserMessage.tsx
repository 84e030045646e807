import type { UserEntry } from '../../../src/protocol/chatState';
import { SentItems } from '../SentItems';

export function UserMessage({ entry }: { entry: UserEntry }) {
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
    </div>
  );
}
