import * as z from '../../../../base/zod';
import { plainOutput } from '../../shell/commandOutput';

const MAX_OUTPUT = 4000;

const text = z.union([
  z.string(),
  z.pipe(
    z.array(z.string()),
    z.transform((lines) => lines.join('')),
  ),
]);

const output = z.lazy(() =>
  z.object({
    output_type: z.string(),
    text: z.optional(text),
    data: z.optional(z.record(z.string(), z.unknown())),
    ename: z.optional(z.string()),
    evalue: z.optional(z.string()),
  }),
);
type Output = z.infer<typeof output>;

const notebook = z.lazy(() =>
  z.object({
    cells: z.array(
      z.object({
        cell_type: z.string(),
        source: z._default(text, ''),
        execution_count: z.nullish(z.number()),
        outputs: z.optional(z.array(output)),
      }),
    ),
  }),
);

/** Returns the cells of a Jupyter notebook with their outputs, as readable text; null if the contents are not a notebook. */
export function notebookText(contents: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(contents);
  } catch {
    return null;
  }
  const parsed = notebook.safeParse(value);
  if (!parsed.success) return null;
  const { cells } = parsed.data;
  if (cells.length === 0) return 'The notebook has no cells.';
  return cells
    .map(({ cell_type: type, source, execution_count: run, outputs = [] }, index) => {
      const head = `# Cell ${index + 1} (${type}${run === null || run === undefined ? '' : `, run ${run}`})`;
      return [head, source.trimEnd(), ...outputs.map(outputText)].join('\n');
    })
    .join('\n\n');
}

function outputText({ output_type: type, text: stream, data = {}, ename, evalue }: Output): string {
  if (type === 'error') return `# Output: ${ename ?? 'error'}: ${evalue ?? ''}`;
  const shown = text.safeParse(stream ?? data['text/plain'] ?? data['text/markdown']);
  const others = Object.keys(data).filter((kind) => kind !== 'text/plain');
  const also = others.length > 0 ? ` (also ${others.join(', ')})` : '';
  if (!shown.success) return `# Output${also}`;
  const plain = plainOutput(shown.data).trimEnd();
  const cut =
    plain.length > MAX_OUTPUT
      ? `${plain.slice(0, MAX_OUTPUT)} ... ${plain.length - MAX_OUTPUT} characters left out`
      : plain;
  return `# Output${also}:\n${cut}`;
}
