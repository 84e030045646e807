import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../src/protocol/chatState';
import { type ContextItem, type MessageItem, sameItem } from '../../src/protocol/messageItem';
import type { Panel } from '../panel';
import type { PanelPart } from '../store/openParts';

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('This component stands outside of a PanelContext.');
  return panel;
}

/** Returns a part of the chat, re-rendering only when it changes. May be used only below App's check that there is a chat. */
export function useChat<T>(select: (state: ChatState) => T): T {
  const { chat } = usePanel();
  if (!chat.state) throw new Error('There is no chat yet.');
  const value = select(chat.state);
  const latest = useRef({ select, value });
  latest.current = { select, value };
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = chat.onChange(() => {
      const { select: current, value: shown } = latest.current;
      if (chat.state && !Object.is(current(chat.state), shown)) redraw();
    });
    return () => listening.dispose();
  }, [chat, redraw]);
  return value;
}

/** Returns the screen's own state, re-rendering whenever this part of it changes. */
function useView(part: 'open' | 'drafts' | 'items' | 'nearby'): Panel['view'] {
  const { view } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = view.onChange((what) => what === part && redraw());
    return () => listening.dispose();
  }, [view, part, redraw]);
  return view;
}

/** Whether a card is open: as set by the user, or else `byDefault`. Kept across reloads. */
export function useOpen(key: string, byDefault: boolean): [boolean, (open: boolean) => void] {
  const view = useView('open');
  return [view.isOpen(key) ?? byDefault, (open) => view.setOpen(key, open)];
}

/** Returns which of the parts that are closed by default is open. */
export function useOpenPart(): PanelPart | null {
  const { parts } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = parts.onChange(redraw);
    return () => listening.dispose();
  }, [parts, redraw]);
  return parts.current;
}

/** The draft in a text box; kept across reloads. */
export function useDraft(key: string): [string, (text: string) => void] {
  const view = useView('drafts');
  return [view.draft(key), (text) => view.setDraft(key, text)];
}

/** The items of the message being typed; kept across reloads. */
export function useItems(): readonly MessageItem[] {
  const view = useView('items');
  return view.items;
}

/** What the user is looking at in the editor, unless it is already attached. */
export function useNearby(): ContextItem | null {
  const view = useView('nearby');
  const items = useItems();
  const pinned = useChat(({ setup }) => setup.pinned);
  const { nearby } = view;
  return nearby && ![...items, ...pinned].some((one) => sameItem(one, nearby)) ? nearby : null;
}

/** Returns the time, updated every second while `running`. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useLayoutEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

export function useRedraw(): () => void {
  const [, set] = useState(0);
  const redraw = useRef(() => set((count) => count + 1));
  return redraw.current;
}
