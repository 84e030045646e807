import assert from 'node:assert/strict';
import { sourceFiles } from './sourceFiles';

describe('Imports', () => {
  it('form no cycles, not even through types', () => {
    const graph = new Map(
      sourceFiles('src', 'webview', 'test').map(({ path, imports }) => [
        path,
        imports.filter(({ ours }) => ours).map(({ target }) => target),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
        return;
      }
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    assert.deepEqual(cycles, []);
  });
});
