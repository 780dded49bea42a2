import type { Plugin } from 'vite';

declare global {
  /** Each gives the variables of a module the values that they had when it was loaded. */
  var programState: (() => void)[] | undefined;
}

/**
 * Files of tests share a page, and with it the program's modules. What these keep in variables (`let`), sets and maps can
 * be had as it was when they were loaded, for the next file to find a program that nobody has used.
 */
export const programState = (): Plugin => ({
  name: 'program-state',
  enforce: 'post',
  transform(code, id) {
    if (!/\/src\/[^?]*\.tsx?(\?|$)/.test(id) || /\.test\.tsx?/.test(id)) return;
    const textOf = ({ start, end }: { start: number; end: number }) => code.slice(start, end);
    const anew = this.parse(code).body.flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declared?.type !== 'VariableDeclaration') return [];
      return declared.declarations.flatMap(({ id: name, init }) => {
        const value = init ? textOf(init) : 'undefined';
        if (declared.kind === 'let') return `(${textOf(name)} = ${value});`;
        return /^new (Set|Map)\(\)$/.test(value) ? `${textOf(name)}.clear();` : [];
      });
    });
    if (anew.length === 0) return;
    return { code: `${code}\n(globalThis.programState ??= []).push(() => {${anew.join('\n')}});`, map: null };
  },
});
