import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The numbers of files to read and folders to list; the instant model requests them in turn. */
export const FILES = 20;
export const FOLDERS = 5;

export const fileName = (index: number): string => `src/file${String(index % FILES).padStart(2, '0')}.ts`;
export const folderName = (index: number): string => `pkg${index % FOLDERS}`;

/** Creates a small project: 20 files of 3 KB, and 5 folders of 10 small files. */
export function benchWorkspace(parent: string): string {
  const dir = path.join(parent, 'workspace');
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  };
  for (let file = 0; file < FILES; file++) write(fileName(file), functions(file));
  for (let folder = 0; folder < FOLDERS; folder++) {
    for (let file = 0; file < 10; file++) {
      write(`${folderName(folder)}/mod${file}.ts`, `export const v${file} = ${file};\n`);
    }
  }
  return dir;
}

function functions(file: number): string {
  const one = (_: unknown, index: number): string =>
    `export function f${file}_${index}(a: number, b: number): number { return a * ${index} + b; }\n`;
  return Array.from({ length: 40 }, one).join('');
}
