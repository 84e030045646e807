/**
 * The same function, whose answer for an object is kept as long as the object is: a conversation is translated once, not
 * with each turn. What it answers must not be changed, nor the object.
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
