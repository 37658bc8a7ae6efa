import { build } from 'esbuild';

const production = process.argv.includes('--production');

await build({
  // Two files: the second is read when a server is started, so that the extension itself is there at once.
  entryPoints: ['src/extension.ts', 'src/languageClient.ts'],
  outdir: 'out',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['vscode', './languageClient.js'],
  supported: { 'dynamic-import': false },
  minify: production,
  sourcemap: !production,
  legalComments: 'none',
  logLevel: 'warning',
});

// The run panel's page: read by the view when it is opened first.
await build({
  entryPoints: ['panel/page.ts', 'panel/page.css'],
  outdir: 'out',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  alias: { entities: './panel/entities.ts' },
  target: 'es2022',
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
});
