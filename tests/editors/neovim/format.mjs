// format.mjs [--write] FILE…: names the Lua files that StyLua would write otherwise; with --write it writes them.
// The npm package has the formatter without its command line, so the few options of .stylua.toml are read here.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(process.env.STYLUA_HOME ?? process.cwd(), 'package.json'));
const { Config, IndentType, OutputVerification, QuoteStyle, formatCode } = require('@johnnymorganz/stylua');

const here = dirname(fileURLToPath(import.meta.url));
const options = readFileSync(join(here, '../../../clients/neovim/.stylua.toml'), 'utf8');
const of = (name) => new RegExp(`^${name} = "?([^"\\n]+)`, 'm').exec(options)[1];

// A call takes its configuration away.
const config = () => {
  const made = Config.new();
  made.column_width = Number(of('column_width'));
  made.indent_type = IndentType[of('indent_type')];
  made.indent_width = Number(of('indent_width'));
  made.quote_style = QuoteStyle[of('quote_style')];
  return made;
};

const write = process.argv[2] === '--write';
const verified = write ? OutputVerification.Full : OutputVerification.None; // nothing is written of what is compared
let changed = 0;
for (const file of process.argv.slice(write ? 3 : 2)) {
  const code = readFileSync(file, 'utf8');
  const formatted = formatCode(code, config(), undefined, verified);
  if (formatted === code) continue;
  changed += 1;
  console.log(file);
  if (write) writeFileSync(file, formatted);
}
process.exit(changed && !write ? 1 : 0);
