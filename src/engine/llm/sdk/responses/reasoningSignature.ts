import * as z from 'zod';
import type { ResponseItem } from './responseEvent';

const proofSchema = z.object({ id: z.string(), encrypted: z.string() });

/** Encrypted reasoning as the signature of a thinking part; undefined when the vendor gave none. */
export function reasoningSignature({ id, encrypted_content: encrypted }: ResponseItem): string | undefined {
  return id && encrypted ? JSON.stringify({ id, encrypted }) : undefined;
}

/** What `reasoningSignature` made; undefined for the signature of another interface. */
export function readReasoningSignature(signature: string): { id: string; encrypted: string } | undefined {
  try {
    return proofSchema.safeParse(JSON.parse(signature)).data;
  } catch {
    return undefined;
  }
}
