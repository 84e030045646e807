import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/transcript.css';
import './styles/cards.css';
import './styles/review.css';
import './styles/code.css';
import './styles/terminal.css';
import './styles/composer.css';
import './styles/find.css';
import './styles/sessions.css';
import './styles/menu.css';
import './styles/message.css';
import { render } from 'preact';
import { HostClient } from '../src/protocol/hostClient';
import { listenForDrops } from './composer/listenForDrops';
import { App } from './App';
import { PanelContext } from './ui/panelContext';
import { registerToolkit } from './ui/toolkit';
import type { OpenParts, PanelPart } from './store/openParts';
import { TranscriptFind } from './find/transcriptFind';
import { findEditorFrame } from './ui/editorFrame';
import { backToComposer, focusComposer, onceFocused } from './ui/focus';
import { connectHost } from './host';
import { answerWaiting } from './keys/answerWaiting';
import { keepFocus, listenForKeys } from './keys/panelKeys';
import { createPanel, type Panel } from './panel';
import { showSafely } from './ui/showSafely';
import { takeTranslations } from './ui/takeTranslations';
import { listenForLinks } from './transcript/listenForLinks';
import { TranscriptList } from './transcript/transcriptList';

function main(): void {
  takeTranslations();
  showSafely();
  registerToolkit();
  const { port, storage } = connectHost();
  const client = new HostClient(port, (error) => reportError(error));
  const panel = createPanel(client, storage);
  const transcript = new TranscriptList(panel);
  const find = new TranscriptFind(panel.chat, transcript);
  const listening = [
    findEditorFrame(),
    client.onMessage((message) => {
      if (message.kind === 'events') panel.chat.receive(message);
      else if (message.kind === 'show-session') panel.chats.open(message.sessionId);
      else if (message.kind === 'show-part') showPart(message.part, panel.parts);
      else if (message.kind === 'answer-waiting') answerWaiting(message.answer, panel, transcript);
      else if (message.kind === 'nearby') panel.view.setNearby(message.item);
      else if (message.kind === 'go-on') goOn(transcript, panel);
      else {
        if (message.kind === 'add-items') panel.attach.add(message.items);
        backToComposer(panel.parts);
      }
    }),
    keepFocus(transcript),
    listenForKeys(panel, transcript, find),
    listenForDrops(panel.attach),
    listenForLinks(transcript.element, panel.editor),
  ];
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root, panel.announcer.element);
  render(
    <PanelContext.Provider value={panel}>
      <App transcript={transcript} find={find} />
    </PanelContext.Provider>,
    root,
  );
  panel.chats.open(panel.view.sessionId ?? undefined);
  window.addEventListener(
    'pagehide',
    () => {
      for (const one of [...listening, find, transcript, panel, client]) one.dispose();
    },
    { once: true },
  );
}

/** Requesting the list of sessions while it is open returns to the message box; requesting find focuses it again. */
function showPart(part: PanelPart, parts: OpenParts): void {
  if (part === 'sessions' && parts.current === part) backToComposer(parts);
  else parts.show(part);
}

/** Moves to the next pending request, or else to the message box. */
function goOn(transcript: TranscriptList, { parts }: Panel): void {
  if (parts.current === 'sessions') return backToComposer(parts);
  onceFocused(() => {
    if (!transcript.goToWaiting()) focusComposer();
  });
}

main();
