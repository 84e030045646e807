/** The clients on the vendors' SDKs, as one part of the bundle: it is loaded with the first request to any of them. */
export { anthropicMessages } from './anthropicMessages';
export { openaiChat } from './chat/openaiChat';
export { openaiResponses } from './responses/openaiResponses';
