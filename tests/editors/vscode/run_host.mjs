// node run_host.mjs VSCODE_DIR EXTENSION BOOK REPORT: the cases of host.cjs in a real extension host.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runExtensionTests, startServer } from './driver.mjs';
import { startModel } from './model.mjs';

const [vscodeDir, extension, book, report] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));
const model = await startModel();
const server = await startServer({
  vscodeDir,
  extensionTests: true,
  settings: {
    'inkwright.model': 'offline',
    // Without the panel what comes of a run is told in documents and notifications.
    'inkwright.liveText': false,
    'inkwright.models': {
      slow: { endpoint: model.url, model: 'slow' },
      nobody: { endpoint: 'http://127.0.0.1:9', model: 'nobody' },
    },
  },
  env: {
    INKWRIGHT_TEST_MODEL: model.url,
    INKWRIGHT_TEST_MODEL_MODULE: path.join(here, 'model.mjs'),
    INKWRIGHT_TEST_REPORT: report,
  },
});
try {
  const { code, log } = await runExtensionTests(server, {
    folder: book,
    extension,
    tests: path.join(here, 'host.cjs'),
    timeout: 780_000,
  });
  for (const line of log) console.log(line);
  if (code !== 0) {
    for (const [name, text] of Object.entries(await server.logs())) {
      if (name.includes('Inkwright')) console.log(`--- ${name}\n${text.slice(-4000)}`);
    }
  }
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await server.stop();
  model.stop();
}
