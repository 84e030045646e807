/**
 * Returns `make` with its result cached for as long as the key object lives: a conversation is translated once, not on every
 * turn. Neither the object nor the result may be mutated.
 */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = make(key);
    known.set(key, { value });
    return value;
  };
}
