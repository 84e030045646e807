import { clipEnd } from '../../base/truncate';

const MAX_DESCRIPTION = 250;

/** A thing that the model may choose as one line of a list, however long and broken its description is. */
export function nameLine({ name, description }: { name: string; description: string }): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return line === '' ? `- ${name}` : `- ${name}: ${clipEnd(line, MAX_DESCRIPTION)}`;
}
