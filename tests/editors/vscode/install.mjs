// node install.mjs VSCODE_DIR VSIX EXTENSIONS: the package into a folder of extensions.

import { installExtensions } from './driver.mjs';

const [vscodeDir, vsix, extensions] = process.argv.slice(2);
await installExtensions({ vscodeDir, vsix: [vsix], extensions });
