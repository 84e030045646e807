import assert from 'node:assert/strict';
import { type ContextItem, type ImageItem, keptItems, sameItem } from '../../src/protocol/messageItem';

const FILE: ContextItem = { kind: 'file', label: 'a.ts', target: 'src/a.ts' };
const LINES: ContextItem = { ...FILE, kind: 'selection', lines: { first: 3, last: 9 } };
const NOTE: ContextItem = { kind: 'resource', label: 'note', target: 'note://1', server: 'notes' };
const IMAGE: ImageItem = {
  kind: 'image',
  label: 'shot.png',
  mediaType: 'image/png',
  data: 'AAAA',
  thumbnail: 'data:image/png;base64,AAAA',
};

describe('Two items of a message', () => {
  it('are the same if they lead to the same place, whatever their labels are', () => {
    assert.equal(sameItem(FILE, { ...FILE, label: 'another' }), true);
    assert.equal(sameItem(LINES, { ...LINES, lines: { first: 3, last: 9 } }), true);
    assert.equal(sameItem(IMAGE, { ...IMAGE, label: 'another.png' }), true);
  });

  for (const [what, one, other] of [
    ['kinds', FILE, { ...FILE, kind: 'folder' }],
    ['targets', FILE, { ...FILE, target: 'src/b.ts' }],
    ['first lines', LINES, { ...LINES, lines: { first: 4, last: 9 } }],
    ['last lines', LINES, { ...LINES, lines: { first: 3, last: 8 } }],
    ['lines, of which one has none', LINES, { ...LINES, lines: undefined }],
    ['servers', NOTE, { ...NOTE, server: 'others' }],
    ['pictures', IMAGE, { ...IMAGE, data: 'BBBB' }],
    ['kinds, of which the first is a picture', IMAGE, FILE],
    ['kinds, of which the second is a picture', FILE, IMAGE],
  ] as const) {
    it(`differ in their ${what}`, () => assert.equal(sameItem(one, other), false));
  }
});

describe('Stored items', () => {
  it('of every kind are kept, and what is no item is dropped', () => {
    const kinds = [
      'file',
      'folder',
      'symbol',
      'selection',
      'problems',
      'changes',
      'terminal',
      'page',
      'resource',
      'agent',
    ];
    const items = kinds.map((kind) => ({ kind, label: kind, target: '' }));
    assert.deepEqual(keptItems([...items, IMAGE, { kind: 'song', label: 'x', target: '' }, null, 7]), [
      ...items,
      IMAGE,
    ]);
  });

  for (const [what, item] of [
    ['an image of another type', { ...IMAGE, mediaType: 'image/svg+xml' }],
    ['an image without data', { ...IMAGE, data: '' }],
    ['a thumbnail that is a page', { ...IMAGE, thumbnail: 'data:text/html,x' }],
    ['line 0', { ...LINES, lines: { first: 0, last: 1 } }],
    ['half a line', { ...LINES, lines: { first: 1.5, last: 2 } }],
    ['no label', { ...FILE, label: '' }],
    ['a server without a name', { ...NOTE, server: '' }],
  ] as const) {
    it(`with ${what} are dropped`, () => assert.deepEqual(keptItems([item]), []));
  }

  it('that are no list are none', () => assert.deepEqual(keptItems({ 0: FILE, length: 1 }), []));
});
