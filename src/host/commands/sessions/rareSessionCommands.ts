export { clearTodos } from './clearTodos';
export { compactSession } from './compactSession';
export { deleteSession } from './deleteSession';
export { exportSession } from './exportSession';
export { openTranscript } from './openTranscript';
export { renameSession } from './renameSession';
export { restoreCheckpoint } from './restoreCheckpoint';
