import * as z from 'zod';

const text = z.string().nullish();
const count = z.int().nullish();

/** A chunk of a Chat Completions stream, as any host may send it: only what is read, and little of it required. */
export const chatChunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: text,
            refusal: text,
            /** DeepSeek, Moonshot, Z.ai, llama.cpp. */
            reasoning_content: text,
            /** OpenRouter, vLLM, Groq, Ollama. */
            reasoning: text,
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: text,
                  function: z.object({ name: text, arguments: text }).nullish(),
                  /** Gemini. */
                  extra_content: z.object({ google: z.object({ thought_signature: text }).nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
      /** DeepSeek. */
      prompt_cache_hit_tokens: count,
      completion_tokens: count,
    })
    .nullish(),
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;
