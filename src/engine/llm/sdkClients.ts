/** The clients built on the vendors' SDKs, as one part of the bundle, loaded on the first request to any of them. */
export { anthropicMessages } from './sdk/messages/anthropicMessages';
export { thinkTags } from './middleware/thinkTags';
export { openaiChat } from './sdk/chat/openaiChat';
export { openaiResponses } from './sdk/openaiResponses';
