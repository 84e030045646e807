import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import type { LiveChat } from '../../chat/liveChat';
import { answerOfTurn } from '../../protocol/answerOfTurn';
import type { Command, Host } from '../host';
import { hasUnseenParts } from '../../chat/unseenParts';
import { notify, NotPossible } from '../shown/notify';
import { pickRow } from '../shown/pickList';

/** A plan opened for editing, and the answer it came from. */
interface OpenPlan {
  answerId: string;
  document: vscode.TextDocument;
}

/** The plan opened last, by chat. */
const opened = new WeakMap<LiveChat, OpenPlan>();

/** Opens the agent's latest plan as a document that can be edited before it is carried out. */
export function openPlan({ currentChat }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const answer = lastAnswer(chat);
      const known = openedOf(chat, answer.id);
      const document =
        known ?? (await vscode.workspace.openTextDocument({ language: 'markdown', content: answer.text }));
      opened.set(chat, { answerId: answer.id, document });
      await vscode.window.showTextDocument(document, { preview: false });
    },
  };
}

const PLACES = [
  {
    icon: 'comment-discussion',
    get label() {
      return t('Keep this conversation');
    },
    get detail() {
      return t('The agent knows what it read for the plan');
    },
    isFresh: false,
  },
  {
    icon: 'add',
    get label() {
      return t('Start fresh');
    },
    get detail() {
      return t('A new session that knows only the plan');
    },
    isFresh: true,
  },
];

/** Carries out the plan, including the user's edits, here or in a new session. */
export function startPlan(host: Host): Command {
  return {
    async run() {
      const chat = await host.currentChat();
      const answer = lastAnswer(chat);
      if (!openedOf(chat, answer.id) && hasUnseenParts(answer.text)) {
        await openPlan(host).run(undefined);
        void notify('warning', t('Part of this plan is not visible in the chat. Read it here, then carry it out.'));
        return;
      }
      const picked = await pickRow(PLACES, { title: t('Carry Out the Plan') });
      host.panels.backToPanel();
      if (!picked) return;
      const plan = openedOf(chat, answer.id)?.getText() ?? answer.text;
      const place = picked.isFresh ? await freshChat(host, chat) : chat;
      await host.setup.chooseMode(place, 'agent');
      await place.send({ text: `Carry out this plan. Its steps are your to-dos.\n\n${plan.trim()}`, items: [] });
    },
  };
}

/** Opens a new session with the same agent, role, model, and approval mode. */
async function freshChat({ chats, panels }: Host, { session: { metadata } }: LiveChat): Promise<LiveChat> {
  const { agent, role, model, approvalMode } = metadata;
  const fresh = await chats.openFor({
    approvalMode,
    ...(agent !== null && { agent }),
    ...(role !== null && { role }),
    ...(model !== null && { model }),
  });
  await panels.show(fresh.session.id);
  return fresh;
}

function lastAnswer({ state }: LiveChat): { id: string; text: string } {
  const end = state.entries.findLastIndex(({ kind }) => kind === 'turn');
  const answer = answerOfTurn(state.entries, end);
  if (!answer || state.run) throw new NotPossible(t('There is no plan yet. Ask for one in Plan mode first.'));
  return answer;
}

/** Returns undefined if the document was closed or the agent has written another plan since. */
function openedOf(chat: LiveChat, answerId: string): vscode.TextDocument | undefined {
  const known = opened.get(chat);
  return known?.answerId === answerId && !known.document.isClosed ? known.document : undefined;
}
