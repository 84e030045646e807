import { safeLine } from '../../src/base/shown/safeText';
import { Icon } from '../ui/Icon';
import { useChat, useOpen } from '../ui/panelContext';

/** The agent's to-dos: the one it is at, and how many are done; opens to the list. */
export function TodoStrip() {
  const todos = useChat((state) => state.todos);
  const [open, setOpen] = useOpen('todos', false);
  if (todos.length === 0) return null;
  const done = todos.filter((todo) => todo.done).length;
  const current = todos.find((todo) => !todo.done);
  return (
    <section class="todos" aria-label="To-dos">
      <button type="button" class="strip" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="strip-text" dir="auto">
          {open ? 'To-dos' : safeLine(current?.text ?? 'All to-dos are done')}
        </span>
        <span class="count">{`${done}/${todos.length}`}</span>
      </button>
      {open && (
        <ul>
          {todos.map((todo) => (
            <li key={todo.id} class={todo.done ? 'done' : ''}>
              <Icon name={todo.done ? 'pass' : todo === current ? 'circle-large-filled' : 'circle-large'} />
              <span dir="auto">{safeLine(todo.text, 1000)}</span>
              <span class="visually-hidden">{todo.done ? ', done' : ', open'}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
