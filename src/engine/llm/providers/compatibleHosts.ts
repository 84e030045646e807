import type { Abilities } from '../model';
import type { ChatQuirks } from '../sdk/chat/chatQuirks';

/** A host that speaks the Chat Completions API, as data. */
export interface CompatibleHost {
  id: string;
  label: string;
  /** The host's own address; null if the user must provide one. */
  baseUrl: string | null;
  keyVariable: string;
  /** Runs on the user's machine: needs no key, and is asked for models only when its address is set. */
  local?: true;
  /** How it differs from `USUAL_QUIRKS`. */
  quirks?: Partial<ChatQuirks>;
  /** What its models usually support. */
  abilities?: Partial<Abilities>;
}

const SEES = { vision: true } as const;

/** To add a host, add a row. */
export const COMPATIBLE_HOSTS = [
  {
    id: 'gemini',
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    quirks: { signsCalls: true },
    abilities: { vision: true, thinking: true },
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
  },
  {
    id: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    quirks: { limitField: 'max_completion_tokens' },
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    quirks: { asksForUsage: false, shortCallIds: true, answersResults: true },
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    quirks: { thinkingField: 'reasoning_content' },
    abilities: { thinking: true },
  },
  { id: 'xai', label: 'xAI', baseUrl: 'https://api.x.ai/v1', keyVariable: 'XAI_API_KEY', abilities: SEES },
  { id: 'together', label: 'Together AI', baseUrl: 'https://api.together.xyz/v1', keyVariable: 'TOGETHER_API_KEY' },
  {
    id: 'fireworks',
    label: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariable: 'FIREWORKS_API_KEY',
  },
  {
    id: 'cerebras',
    label: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariable: 'CEREBRAS_API_KEY',
    quirks: { limitField: 'max_completion_tokens' },
  },
  {
    id: 'moonshot',
    label: 'Moonshot AI',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariable: 'MOONSHOT_API_KEY',
    quirks: { thinkingField: 'reasoning_content' },
  },
  { id: 'zai', label: 'Z.ai', baseUrl: 'https://api.z.ai/api/paas/v4', keyVariable: 'ZAI_API_KEY' },
  {
    id: 'deepinfra',
    label: 'DeepInfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    keyVariable: 'DEEPINFRA_API_KEY',
  },
  {
    id: 'huggingface',
    label: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co/v1',
    keyVariable: 'HF_TOKEN',
  },
  { id: 'nvidia', label: 'NVIDIA', baseUrl: 'https://integrate.api.nvidia.com/v1', keyVariable: 'NVIDIA_API_KEY' },
  {
    id: 'lmstudio',
    label: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariable: 'LMSTUDIO_API_KEY',
    local: true,
  },
  { id: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', keyVariable: 'VLLM_API_KEY', local: true },
  {
    id: 'llamacpp',
    label: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariable: 'LLAMACPP_API_KEY',
    local: true,
  },
  { id: 'custom', label: 'Custom server', baseUrl: null, keyVariable: 'CUSTOM_API_KEY', local: true },
] as const satisfies readonly CompatibleHost[];

export type CompatibleHostId = (typeof COMPATIBLE_HOSTS)[number]['id'];
