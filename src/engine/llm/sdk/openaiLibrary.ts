/** What is used of OpenAI's SDK, as a file of its own: it is loaded with the first request. */
export { OpenAI } from 'openai/client';
