import { t } from '../../src/base/l10n';
import type { ContextHit, TypedCommand, WrittenMessage } from '../../src/protocol/hostApi';
import type { RequestHost } from '../../src/protocol/hostClient';
import type { ContextItem, ImageItem, MessageItem } from '../../src/protocol/messageItem';
import type { FailureLog } from '../store/failureLog';
import type { ViewState } from '../store/viewState';
import type { Announcer } from '../transcript/announcer';

const MAX_PICTURES = 8;

/** Items attached to the message being typed. */
export interface AttachActions {
  add(items: readonly MessageItem[]): void;
  remove(item: MessageItem): void;
  /** Adds images, scaled down if too large; other files are reported. */
  addFiles(files: readonly File[]): Promise<void>;
  addUris(uris: readonly string[]): Promise<void>;
  /** Adds a resource after the user has filled in the variables in its address. */
  fill(item: ContextItem): Promise<void>;
  /** Searches for what was typed after `@`; empty if the search fails. */
  search(query: string): Promise<readonly ContextHit[]>;
  /** Lists what can be typed after `/` in addition to the panel's own commands; empty if the lookup fails. */
  commands(): Promise<readonly TypedCommand[]>;
  /** Inserts the text of an MCP server's prompt into the message for review. Resolves to false if it is empty. */
  writePrompt(name: string, words: string): Promise<boolean>;
  /** Whether such a prompt exists. */
  knowsPrompt(name: string): Promise<boolean>;
  /** Whether such a command exists, even if one of the panel's has the same name. */
  knowsCommand(name: string): Promise<boolean>;
}

export function attachActions(
  request: RequestHost,
  { view, failures, announcer }: { view: ViewState; failures: FailureLog; announcer: Announcer },
): AttachActions {
  const add = (items: readonly MessageItem[]) => {
    view.addItems(items);
    if (items.length > 0) announcer.say(t('Added {0}.', items.map(({ label }) => label).join(', ')));
  };
  const commands = () => typedCommands(request, failures);
  const addFiles = (files: readonly File[]) => addPictures(files, { view, failures, add });
  return {
    add,
    remove(item) {
      view.setItems(view.items.filter((one) => one !== item));
      announcer.say(t('Removed {0}.', item.label));
    },
    addFiles,
    async addUris(uris) {
      try {
        add(await droppedItems(request, uris));
      } catch (error) {
        failures.add(t('The dropped items could not be added'), error);
      }
    },
    async fill(item) {
      try {
        const filled = await request('context/fill', { item });
        if (filled) add([filled]);
      } catch (error) {
        failures.add(t('{0} could not be added', item.label), error);
      }
    },
    commands,
    knowsCommand: async (name) =>
      (await commands()).some((one) => one.name === name || one.name.replace(/^(?:project|user):/, '') === name),
    knowsPrompt: async (name) => (await commands()).some((one) => one.kind === 'prompt' && one.name === name),
    writePrompt: (name, words) => writePrompt({ name, words }, { request, view, failures, addFiles }),
    search: (query) => foundHits(request, failures, query),
  };
}

interface PromptParts {
  request: RequestHost;
  view: ViewState;
  failures: FailureLog;
  addFiles: AttachActions['addFiles'];
}

async function writePrompt(prompt: { name: string; words: string }, parts: PromptParts): Promise<boolean> {
  const { request, view, failures, addFiles } = parts;
  try {
    const written = await request('prompts/write', prompt);
    if (!written) return false;
    view.giveBack(written.text, []);
    await addFiles(written.pictures.map(fileOf));
    return true;
  } catch (error) {
    failures.add(t('/{0} returned no text', prompt.name), error);
    return false;
  }
}

function fileOf({ label, mediaType, data }: WrittenMessage['pictures'][number]): File {
  return new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], label, { type: mediaType });
}

async function droppedItems(request: RequestHost, uris: readonly string[]): Promise<readonly MessageItem[]> {
  const items = await request('context/from-uris', { uris: [...uris] });
  if (items.length === 0) throw new Error(t('Only files and folders can be dropped here.'));
  return items;
}

async function foundHits(request: RequestHost, failures: FailureLog, query: string): Promise<readonly ContextHit[]> {
  try {
    return await request('context/search', { query });
  } catch (error) {
    failures.add(t('Suggestions could not be loaded'), error);
    return [];
  }
}

async function typedCommands(request: RequestHost, failures: FailureLog): Promise<readonly TypedCommand[]> {
  try {
    return await request('commands/list', {});
  } catch (error) {
    failures.add(t('The commands could not be loaded'), error);
    return [];
  }
}

async function addPictures(
  files: readonly File[],
  { view, failures, add }: { view: ViewState; failures: FailureLog; add: (items: readonly MessageItem[]) => void },
): Promise<void> {
  for (const file of files) {
    const label = file.name === '' || file.name === 'image.png' ? pastedName(view.items) : file.name;
    try {
      if (!file.type.startsWith('image/')) throw new Error(t('Drag files from the explorer, or name them with @.'));
      const pictures = view.items.filter(({ kind }) => kind === 'image').length;
      if (pictures >= MAX_PICTURES) throw new Error(t('A message can have at most {0} images.', MAX_PICTURES));
      add([await readPicture(file, label)]);
    } catch (error) {
      failures.add(t('{0} could not be added', label), error);
    }
  }
}

/** Pasted images have no name. */
function pastedName(items: readonly MessageItem[]): string {
  const before = items.filter(({ kind }) => kind === 'image').length;
  return before === 0 ? t('Image') : t('Image {0}', before + 1);
}

/** Models downscale larger images themselves, so sending more only costs more. */
const MAX_SIDE = 1_568;

const KEPT_BYTES = 700_000;
const MAX_BYTES = 30_000_000;
const THUMBNAIL_SIDE = 160;
const QUALITY = 0.85;

/** Reads an image for sending: unchanged if it is small, otherwise scaled down. Rejects with a message for the user. */
async function readPicture(file: File, label: string): Promise<ImageItem> {
  if (file.size > MAX_BYTES) {
    throw new Error(
      t('{0} is {1} MB. The limit is {2} MB.', label, Math.round(file.size / 1_000_000), MAX_BYTES / 1_000_000),
    );
  }
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error(t('{0} is not a supported image. Use PNG, JPEG, GIF, or WebP.', label));
  try {
    const thumbnail = await scaled(bitmap, THUMBNAIL_SIDE, 'image/webp');
    const fits = Math.max(bitmap.width, bitmap.height) <= MAX_SIDE && file.size <= KEPT_BYTES;
    const sent = fits && isSent(file.type) ? file : await smaller(bitmap);
    const mediaType = isSent(sent.type) ? sent.type : 'image/png';
    return { kind: 'image', label, mediaType, data: await base64(sent), thumbnail: await dataUrl(thumbnail) };
  } finally {
    bitmap.close();
  }
}

function isSent(type: string): type is ImageItem['mediaType'] {
  return type === 'image/png' || type === 'image/jpeg' || type === 'image/gif' || type === 'image/webp';
}

/** Lossless if that stays small, because most images here show text. */
async function smaller(bitmap: ImageBitmap): Promise<Blob> {
  const exact = await scaled(bitmap, MAX_SIDE, 'image/png');
  return exact.size <= KEPT_BYTES ? exact : scaled(bitmap, MAX_SIDE, 'image/jpeg');
}

async function scaled(bitmap: ImageBitmap, side: number, type: string): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error(t('This editor cannot display images.'));
  if (type === 'image/jpeg') {
    // JPEG has no transparency, and a black background would hide dark text.
    drawing.fillStyle = 'white';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
  }
  drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

async function base64(blob: Blob): Promise<string> {
  const url = await dataUrl(blob);
  return url.slice(url.indexOf(',') + 1);
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error(t('No text.')));
    reader.onerror = () => reject(new Error(t('The image could not be read.')));
    reader.readAsDataURL(blob);
  });
}
