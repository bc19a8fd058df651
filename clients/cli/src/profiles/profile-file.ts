import { mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { replaceFile } from '../replace-file.js';

/** A key pair with its service. */
export interface Profile {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  appId: string;
  environment: 'sandbox' | 'live';
}

export interface Profiles {
  /** The profile of commands that name none. */
  current: string | null;
  byName: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { current: null, byName: {} };
const OF_OTHERS = 0o077;

/** Keeps profiles in a file that only its owner can read. */
export class ProfileFile {
  readonly path: string;

  constructor(env: NodeJS.ProcessEnv) {
    const folder =
      env['TRIBUTARY_CONFIG_DIR'] ||
      join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'tributary');
    this.path = join(folder, 'profiles.json');
  }

  /** @throws CommandFailure when others can read the file, or it is damaged */
  async read(): Promise<Profiles> {
    const found = await stat(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw this.unusable(`cannot be read (${error.code})`);
    });
    if (found === null) return NONE;
    if (process.platform !== 'win32' && (found.mode & OF_OTHERS) !== 0)
      throw new CommandFailure(
        `Others can read ${this.path}, which holds client secrets.`,
        `Run \`chmod 600 ${this.path}\`, and replace the secrets if someone may have read them.`,
      );
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw this.unusable(`cannot be read (${error.code})`);
    });
    return this.parse(text);
  }

  /** Replaces the file at once, so that a crash leaves the old one or the new one. */
  async write(profiles: Profiles): Promise<void> {
    const folder = dirname(this.path);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(this.path, `${JSON.stringify(profiles, null, 2)}\n`);
    } catch (error) {
      throw this.unusable(`cannot be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }

  private parse(text: string): Profiles {
    try {
      const { current, byName } = JSON.parse(text) as Profiles;
      if (typeof byName === 'object' && byName !== null)
        return { current: current ?? null, byName };
    } catch {
      // The text is not repeated: it holds secrets.
    }
    throw this.unusable('is damaged');
  }

  private unusable(what: string): CommandFailure {
    return new CommandFailure(
      `The file ${this.path} ${what}.`,
      'Move it away or correct its permissions, and run `tributary login`.',
    );
  }
}
