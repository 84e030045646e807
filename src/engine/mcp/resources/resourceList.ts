import * as z from '../../../base/zod';
import { isRecord } from '../../../base/isRecord';
import { safeLine, safeText } from '../../../base/shown/safeText';
import { clipEnd } from '../../../base/truncate';
import { listPages } from '../listPages';

/** A resource that a server offers. */
export const mcpResourceSchema = z.object({
  /** The server's URI; for a template with its variables, such as `notes://{day}`. */
  uri: z.string(),
  /** For users and models; untrusted text, on one line. */
  name: z.string(),
  description: z.string(),
  /** Empty if the server does not specify it. */
  mediaType: z.string(),
  /** Whether the URI has variables that need values. */
  isTemplate: z.boolean(),
});
export type McpResource = z.infer<typeof mcpResourceSchema>;

const MAX_RESOURCES = 1000;
const MAX_URI = 2000;
const MAX_NAME = 200;
const MAX_DESCRIPTION = 500;

const listed = z.lazy(() => {
  const words = z.optional(z.nullable(z.string()));
  return z.looseObject({
    uri: z.optional(z.string()),
    uriTemplate: z.optional(z.string()),
    name: words,
    title: words,
    description: words,
    mimeType: words,
  });
});

type NextPage = (cursor: string | undefined) => Promise<unknown>;

/** Reads every page of a server's resources or templates. A malformed one is skipped without affecting the others. */
export async function readResourceList(
  key: 'resources' | 'resourceTemplates',
  next: NextPage,
): Promise<{ resources: readonly McpResource[]; problems: readonly string[] }> {
  const resources = new Map<string, McpResource>();
  const problems: string[] = [];
  for await (const one of listPages(key, next)) {
    const read = readResource(one, key === 'resourceTemplates');
    if (typeof read === 'string') problems.push(read);
    else if (!resources.has(read.uri)) resources.set(read.uri, read);
    if (resources.size >= MAX_RESOURCES || problems.length >= MAX_RESOURCES) break;
  }
  return { resources: [...resources.values()], problems };
}

/** Returns a sentence if the resource is unusable. */
function readResource(value: unknown, isTemplate: boolean): McpResource | string {
  const { data } = listed.safeParse(value);
  const uri = (isTemplate ? data?.uriTemplate : data?.uri) ?? '';
  const name = data ? `“${safeLine(data.title ?? data.name ?? uri, 80)}”` : nameIn(value);
  if (!data) return `The resource ${name} is left out: it is malformed.`;
  if (uri === '') return `The resource ${name} is left out: it has no address.`;
  if (uri.length > MAX_URI) return `The resource ${name} is left out: its address has ${uri.length} characters.`;
  if (/[\n\t]/.test(uri) || safeText(uri) !== uri) {
    return `The resource ${name} is left out: its address contains invisible characters.`;
  }
  return {
    uri,
    isTemplate,
    name: safeLine(data.title ?? data.name ?? uri, MAX_NAME) || safeLine(uri, MAX_NAME),
    description: clipEnd(safeText(data.description ?? ''), MAX_DESCRIPTION),
    mediaType: safeLine(data.mimeType ?? '', 100),
  };
}

function nameIn(value: unknown): string {
  return isRecord(value) && typeof value['name'] === 'string' ? `“${safeLine(value['name'], 80)}”` : 'one';
}
