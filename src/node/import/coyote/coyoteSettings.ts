import { isRecord } from '../../../base/isRecord';
import { PROVIDER_KEYS, type YamlSource, yamlText } from '../../../engine';
import { usedSchema, WITHOUT_EFFECT } from '../../config/configSchema';
import type { Found } from '../importItem';
import type { ScanContext } from '../importTool';
import { readYamlFile } from '../readData';
import { attempt } from '../scanContent';
import type { ItemSecrets } from '../secretsOut';
import type { SourceFolder } from '../sourceFolder';

const CLIENT_KEYS = ['type', 'name', 'api_base', 'api_key'];

/** Imports the supported part of `config.yaml`; keys become `{{NAME}}`. */
export async function coyoteSettings(
  source: SourceFolder,
  { secrets, isHome }: ScanContext,
  found: Found,
): Promise<void> {
  await attempt(found, async () => {
    const read = await readYamlFile(source, ['config.yaml']);
    if (!read) return;
    const { yaml } = read;
    const from = source.at('config.yaml');
    if (!isRecord(yaml.data) || Array.isArray(yaml.data)) {
      found.problems.push(`${from}: it must be a map of settings.`);
      return;
    }
    const taken = secrets.ofItem('config');
    const { values, notes } = usedValues(yaml.data, yaml, taken);
    if (Object.keys(values).length === 0) return;
    const text = await yamlText(values);
    const content = { type: 'settings', text, secrets: taken.all, aside: !isHome } as const;
    found.items.push({ kind: 'settings', name: 'config.yaml', from, content, notes });
  });
}

function usedValues(
  data: Readonly<Record<string, unknown>>,
  yaml: YamlSource,
  secrets: ItemSecrets,
): { values: Record<string, unknown>; notes: string[] } {
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  const line = (where: readonly PropertyKey[]) => `Line ${yaml.position(where, 'key').line}`;
  for (const [key, written] of Object.entries(data)) {
    if (written === null || written === undefined) continue;
    const schema = fieldOf(key);
    if (!schema) {
      const why = WITHOUT_EFFECT.get(key) ?? 'Cairn has no such setting';
      notes.push(`${line([key])}: “${key}” was left out: ${why}.`);
      continue;
    }
    const value = key === 'clients' ? clientsOf(written, yaml, secrets, notes) : written;
    const issue = schema.safeParse(value).error?.issues[0];
    if (issue) notes.push(`${line([key, ...issue.path])}: “${key}” was left out: ${issue.message}.`);
    else values[key] = value;
  }
  return { values, notes };
}

function fieldOf(key: string) {
  return Object.entries(usedSchema.shape).find(([name]) => name === key)?.[1];
}

function clientsOf(written: unknown, yaml: YamlSource, secrets: ItemSecrets, notes: string[]): unknown {
  if (!Array.isArray(written)) return written;
  return written.map((client: unknown, at) => {
    if (!isRecord(client)) return client;
    const other = Object.keys(client).filter((key) => !CLIENT_KEYS.includes(key));
    const where = `Line ${yaml.position(['clients', at], 'value').line}`;
    if (other.length > 0)
      notes.push(`${where}: ${other.join(', ')} of this client were left out; Cairn has its own list of models.`);
    const { type, name, api_base: base, api_key: key } = client;
    return {
      type,
      ...(name !== undefined && { name }),
      ...(typeof base === 'string' ? { api_base: secrets.address(base) } : base !== undefined && { api_base: base }),
      ...(typeof key === 'string'
        ? { api_key: secrets.key(keyName(type, name), key) }
        : key !== undefined && { api_key: key }),
    };
  });
}

/** Returns the provider's key variable, under which the vault provides the key automatically. */
function keyName(type: unknown, name: unknown): string {
  const ids = [name, type === 'claude' ? 'anthropic' : type];
  const known = PROVIDER_KEYS.find(({ id }) => ids.includes(id))?.keyVariable;
  const [own] = ids.filter((one) => typeof one === 'string');
  return known ?? `${own ?? 'client'}_API_KEY`;
}
