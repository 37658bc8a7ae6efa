// Loads a TypeScript module of src/ that needs no editor.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

export async function load(name) {
  const entry = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
