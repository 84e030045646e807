/** A JSON Schema, as models receive it for a tool's arguments. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns what does not match a JSON Schema, one sentence each; empty if everything matches. Only checks `type`, `enum`, `const`,
 * `properties`, `required`, `additionalProperties: false` and `items`; the tool checks anything else in the schema.
 */
export function checkArguments(value: unknown, schema: JsonSchema, where = 'input'): string[] {
  const types = listOf(schema['type']);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${where}: expected ${types.join(' or ')}, got ${nameOfType(value)}`];
  }
  const allowed = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(allowed) && !allowed.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    return [`${where}: expected one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`];
  }
  if (Array.isArray(value)) return checkItems(value, schema, where);
  return isRecord(value) ? checkProperties(value, schema, where) : [];
}

/** Keys of arguments that every vendor accepts. */
const PLAIN = /^[\w.-]{1,64}$/;
/** Leaves room for a number. */
const LONGEST = 60;

/**
 * Returns the keys of arguments that are not plain as models get them, each with the key of the schema: for Anthropic, one key
 * such as `$top` or `filter[name]` makes every request fail.
 */
export function sentKeys({ properties }: JsonSchema): ReadonlyMap<string, string> {
  const keys = isRecord(properties) ? Object.keys(properties) : [];
  const taken = new Set(keys);
  return new Map(
    keys
      .filter((key) => !PLAIN.test(key))
      .map((key) => {
        const plain =
          key
            .replace(/[^\w.-]+/g, '_')
            .replace(/^_+|(?<!_)_+$/g, '')
            .slice(0, LONGEST) || 'value';
        let sent = plain;
        for (let count = 2; taken.has(sent); count++) sent = `${plain}_${count}`;
        taken.add(sent);
        return [sent, key];
      }),
  );
}

function checkItems(value: readonly unknown[], { items }: JsonSchema, where: string): string[] {
  if (!isRecord(items)) return [];
  return value.flatMap((item, index) => checkArguments(item, items, `${where}[${index}]`));
}

function checkProperties(value: JsonSchema, schema: JsonSchema, where: string): string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const at = (key: string) => (where === 'input' ? key : `${where}.${key}`);
  const missing = listOf(schema['required']).filter((key) => !Object.hasOwn(value, key));
  const known = (key: string) => Object.hasOwn(properties, key);
  const closed = schema['additionalProperties'] === false;
  const unknown = closed ? Object.keys(value).filter((key) => !known(key)) : [];
  return [
    ...missing.map((key) => `${at(key)}: is missing`),
    ...unknown.map((key) => `${at(key)}: is not known`),
    ...Object.entries(value).flatMap(([key, one]) => {
      const inner = known(key) ? properties[key] : undefined;
      return isRecord(inner) ? checkArguments(one, inner, at(key)) : [];
    }),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return nameOfType(value) === type;
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === 'string');
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
