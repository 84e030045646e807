import { basename } from 'node:path';

/** What a model is told of the shell in this file, with what it would get wrong about it. */
export function shellName(file: string): string {
  const name = basename(file.replaceAll('\\', '/')).replace(/\.exe$/i, '');
  return name === 'powershell' ? 'Windows PowerShell 5.1 (it has no && and ||: use `;` or `if ($?) { … }`)' : name;
}
