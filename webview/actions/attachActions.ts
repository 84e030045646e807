import type { ContextHit } from '../../src/protocol/hostApi';
import type { MessageItem } from '../../src/protocol/messageItem';
import type { Announcer } from '../transcript/announcer';
import { readPicture } from '../composer/readPicture';
import type { FailureLog } from '../store/failureLog';
import type { ViewState } from '../store/viewState';
import type { RequestHost } from './requestHost';

const MAX_PICTURES = 8;

/** What goes with the message that is being typed. */
export interface AttachActions {
  add(items: readonly MessageItem[]): void;
  remove(item: MessageItem): void;
  /** Pictures, made smaller where they are too large; other files are told of. */
  addFiles(files: readonly File[]): Promise<void>;
  addUris(uris: readonly string[]): Promise<void>;
  /** What may be meant by what was typed after `@`; nothing when the search failed. */
  search(query: string): Promise<readonly ContextHit[]>;
}

export function attachActions(
  request: RequestHost,
  { view, failures, announcer }: { view: ViewState; failures: FailureLog; announcer: Announcer },
): AttachActions {
  const add = (items: readonly MessageItem[]) => {
    view.addItems(items);
    if (items.length > 0) announcer.say(`Added ${items.map(({ label }) => label).join(', ')}.`);
  };
  return {
    add,
    remove(item) {
      view.setItems(view.items.filter((one) => one !== item));
      announcer.say(`Removed ${item.label}.`);
    },
    async addFiles(files) {
      for (const file of files) {
        const label = file.name === '' || file.name === 'image.png' ? pastedName(view.items) : file.name;
        try {
          if (!file.type.startsWith('image/')) throw new Error('Drag files from the explorer, or name them with @.');
          const pictures = view.items.filter(({ kind }) => kind === 'image').length;
          if (pictures >= MAX_PICTURES) throw new Error(`A message takes at most ${MAX_PICTURES} pictures.`);
          add([await readPicture(file, label)]);
        } catch (error) {
          failures.add(`${label} was not added`, error);
        }
      }
    },
    async addUris(uris) {
      try {
        const items = await request('context/from-uris', { uris: [...uris] });
        if (items.length === 0) throw new Error('Only files and folders can be dropped here.');
        add(items);
      } catch (error) {
        failures.add('What was dropped was not added', error);
      }
    },
    async search(query) {
      try {
        return await request('context/search', { query });
      } catch (error) {
        failures.add('Nothing could be looked up', error);
        return [];
      }
    },
  };
}

/** What is pasted has no name of its own. */
function pastedName(items: readonly MessageItem[]): string {
  const before = items.filter(({ kind }) => kind === 'image').length;
  return before === 0 ? 'Picture' : `Picture ${before + 1}`;
}
