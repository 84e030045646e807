import * as z from 'zod';
import type { ModelRequest } from './modelServer/modelRequest';

const blocks = z.union([z.string(), z.array(z.looseObject({}))]).nullish();
const bodySchema = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  system: blocks,
  instructions: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: blocks })).optional(),
  input: z.array(z.looseObject({ content: blocks })).optional(),
});

/** The contents of a request, part by part in the order in which a vendor reads them, without cache marks. */
export function sentParts({ body }: ModelRequest): string[] {
  const { tools, system, instructions, messages, input } = bodySchema.parse(body);
  const said = (messages ?? input ?? []).flatMap(({ content, ...rest }) => {
    const head = JSON.stringify(rest);
    return (Array.isArray(content) ? content : [content]).map((block) => head + textOf(block));
  });
  const told = Array.isArray(system) ? system : [system ?? instructions];
  return [...tools.map((tool) => textOf(tool)), ...told.map((block) => textOf(block)), ...said];
}

/** How many leading characters two requests have in common, and whether that is all of the first. */
export function commonPrefix(before: readonly string[], after: readonly string[]): { length: number; whole: boolean } {
  const differs = before.findIndex((part, index) => part !== after[index]);
  const same = differs < 0 ? before : before.slice(0, differs);
  return { length: same.reduce((sum, part) => sum + part.length, 0), whole: differs < 0 };
}

function textOf(block: unknown): string {
  return JSON.stringify({ block }, (key: string, value: unknown) => (key === 'cache_control' ? undefined : value));
}
