import { build } from 'esbuild';

const production = process.argv.includes('--production');

/**
 * The editor's API is one module of the bundle: each file that imports an external package as a namespace would copy
 * its five hundred names, and that was most of what the extension took to load.
 */
const api = {
  name: 'one copy of the API',
  setup(hooks) {
    hooks.onResolve({ filter: /^vscode$/ }, ({ namespace }) => (namespace === 'api' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'api' }));
    hooks.onLoad({ filter: /./, namespace: 'api' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

await build({
  // Two files: the second is read when a server is started, so that the extension itself is there at once.
  entryPoints: ['src/extension.ts', 'src/languageClient.ts'],
  outdir: 'out',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['./languageClient.js'],
  plugins: [api],
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
