import type { ChatEntry, PendingApproval, PendingQuestion } from '../../src/protocol/chatState';
import type { ToolGroup } from './toolGroups';

/** Everything an entry's look depends on. */
export interface EntryProps {
  entry: ChatEntry;
  approval: PendingApproval | null;
  question: PendingQuestion | null;
  /** The group whose line this entry carries, as its first. */
  leads: ToolGroup | null;
  /** True when the entry stands in a group. */
  grouped: boolean;
  /** True when the turn it belongs to is over. */
  settled: boolean;
  /** True for the agent's first words of a turn. */
  beginsTurn: boolean;
}
