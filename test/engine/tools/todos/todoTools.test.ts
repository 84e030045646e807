import assert from 'node:assert/strict';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('The to-do tools', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const text = async (name: string, input: object = {}) => (await world.call(name, input)).text;

  it('keep a list and return it after every change (P-7.7)', async () => {
    assert.equal(await text('todo__list'), 'The to-do list is empty.');
    assert.equal(await text('todo__init', { todos: ['read', 'write'] }), '1. [ ] read\n2. [ ] write');
    assert.equal(await text('todo__add', { todo: 'test' }), '1. [ ] read\n2. [ ] write\n3. [ ] test');
    assert.equal(await text('todo__done', { id: 2 }), '1. [ ] read\n2. [x] write\n3. [ ] test');
    assert.deepEqual(
      world.todoChanges().map(({ done }) => done),
      [false, true, false],
    );
    assert.equal(await text('todo__clear'), 'The to-do list is empty.');
    assert.deepEqual(world.todoChanges(), []);
  });

  it('list the to-dos when one does not exist', async () => {
    await text('todo__init', { todos: ['read'] });
    assert.equal(
      await world.failure('todo__done', { id: 7 }),
      'There is no to-do “7”; name one by its number. 1. [ ] read',
    );
  });

  it('need no permission for files, commands or the network', () => {
    for (const name of ['todo__list', 'todo__clear']) {
      assert.deepEqual(world.bind(name, {}).permission, { tool: name, category: 'agent' });
    }
  });
});
