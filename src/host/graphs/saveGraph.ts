import { dirname } from 'node:path';
import { t } from '../../base/l10n';
import { safeFileName } from '../../base/shown/safeLabel';
import { EngineError } from '../../engine';
import type { GraphFormat } from '../../protocol/graphPage';
import { exportFile } from '../pages/exportFile';

const FILES: Record<GraphFormat, { ending: string; title: string }> = {
  svg: { ending: 'svg', title: 'SVG' },
  png: { ending: 'png', title: 'PNG' },
  mermaid: { ending: 'mmd', title: 'Mermaid' },
};

export interface SavedGraph {
  readonly format: GraphFormat;
  /** What the page drew; of a picture in Base64. */
  readonly data: string;
  readonly name: string;
  /** Absolute: a file beside which it is offered. */
  readonly beside: string;
}

/** Asks the person for a place, and writes the drawing there. */
export async function saveGraph({ format, data, name, beside }: SavedGraph): Promise<void> {
  const bytes = bytesOf(format, data);
  const { ending, title } = FILES[format];
  const file = `${safeFileName(name) || 'graph'}.${ending}`;
  await exportFile({ what: t('Graph'), name: file, folder: dirname(beside), filters: { [title]: [ending] }, bytes });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

function bytesOf(format: GraphFormat, data: string): Uint8Array {
  if (format !== 'png') return new TextEncoder().encode(data);
  const bytes = Buffer.from(data, 'base64');
  if (!bytes.subarray(0, PNG.length).equals(PNG)) {
    throw new EngineError('io', t('The picture could not be drawn. Export the graph as SVG instead.'));
  }
  return bytes;
}
