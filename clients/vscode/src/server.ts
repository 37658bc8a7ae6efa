/** Where the `inkwright` program is. Knows the file system, not the editor. */

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';

export interface Places {
  /** The setting; '' when it is not set. */
  setting: string;
  /** The folders of the workspace; none when it is not trusted: a program in them is not run then. */
  trusted: readonly string[];
  /** The user's own folder. */
  home: string;
  environment: NodeJS.ProcessEnv;
  windows: boolean;
}

export interface Program {
  program: string;
  by: 'setting' | 'path' | 'home' | 'workspace';
}

export interface Missing {
  program: undefined;
  /** What the setting names, '' when there is none. */
  tried: string;
}

/** The setting, else the PATH, else where uv and pipx put it, else the Python environment of a trusted folder. A wrong setting is no search. */
export async function find(places: Places): Promise<Program | Missing> {
  if (places.setting) {
    const program = absolute(places.setting, places.trusted);
    if (await runs(program, places.windows)) return { program, by: 'setting' };
    return { program: undefined, tried: program };
  }
  for (const folder of (places.environment.PATH ?? places.environment.Path ?? '').split(path.delimiter)) {
    // A relative entry would be looked up in the folder that happens to be open.
    if (!path.isAbsolute(folder)) continue;
    for (const name of names(places)) {
      const program = path.join(folder, name);
      if (await runs(program, places.windows)) return { program, by: 'path' };
    }
  }
  // An editor that was open before the installation knows the PATH of before.
  for (const name of names(places)) {
    const program = path.join(places.home, '.local', 'bin', name);
    if (path.isAbsolute(program) && (await runs(program, places.windows))) return { program, by: 'home' };
  }
  for (const folder of places.trusted) {
    for (const environment of ['.venv', 'venv', 'env']) {
      const program = path.join(
        folder,
        environment,
        places.windows ? 'Scripts' : 'bin',
        places.windows ? 'inkwright.exe' : 'inkwright',
      );
      if (await runs(program, places.windows)) return { program, by: 'workspace' };
    }
  }
  return { program: undefined, tried: '' };
}

function absolute(setting: string, folders: readonly string[]): string {
  const home = setting.replace(/^~(?=$|[/\\])/, homedir());
  const whole = home.replaceAll('${workspaceFolder}', folders[0] ?? '');
  return path.isAbsolute(whole) || !folders[0] ? whole : path.resolve(folders[0], whole);
}

function names(places: Places): string[] {
  if (!places.windows) return ['inkwright'];
  const endings = (places.environment.PATHEXT ?? '.EXE;.CMD;.BAT').split(';').filter(Boolean);
  return endings.map((ending) => `inkwright${ending.toLowerCase()}`);
}

async function runs(program: string, windows: boolean): Promise<boolean> {
  try {
    if (!(await stat(program)).isFile()) return false;
    if (!windows) await access(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
