// Loads a TypeScript module of src/; one that needs the editor gets the stand-in of vscode.mjs.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

export async function load(name) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from './src/${name}'; export * as vscode from 'vscode';`, resolveDir: at('..') },
    alias: { vscode: at('vscode.mjs') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    logOverride: { 'import-is-undefined': 'silent' },
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
