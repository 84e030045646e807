import * as z from 'zod';

/** A model as people write it: `provider:model`, or `provider/model` as OpenCode has it. */
export const modelName = z.string().regex(/^[^/:\s]+[:/]\S+$/, 'must be written provider:model or provider/model');

/** `provider:model`, however it was written. */
export function modelId(written: string): string {
  const colon = written.indexOf(':');
  const slash = written.indexOf('/');
  return slash >= 0 && (colon < 0 || slash < colon)
    ? `${written.slice(0, slash)}:${written.slice(slash + 1)}`
    : written;
}
