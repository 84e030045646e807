/** The parts of OpenAI's SDK that are used, in a file of their own so they are loaded on the first request. */
export { OpenAI } from 'openai/client';
