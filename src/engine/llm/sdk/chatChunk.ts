import * as z from 'zod';

const text = z.string().nullish();

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
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.int().nullish(), completion_tokens: z.int().nullish() }).nullish(),
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;
