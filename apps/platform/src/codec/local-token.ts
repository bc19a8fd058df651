import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const TOKEN = /^[\w-]{43}$/;
const OTHERS = 0o077;

/**
 * The token with which operators of this machine decode payloads, if they may read the file. The first start creates it, for
 * the account of the process alone.
 * @throws Error when the file cannot be created or read, does not hold a token, or is readable by other accounts
 */
export function readOrMakeLocalToken(path: string, random = randomBytes): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, random(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const token = readFileSync(path, 'utf8').trim();
  if (!TOKEN.test(token))
    throw new Error(
      `${path} (CODEC_TOKEN_FILE) holds no token: remove it, and the next start creates it`,
    );
  if ((statSync(path).mode & OTHERS) !== 0)
    throw new Error(
      `${path} (CODEC_TOKEN_FILE) is readable by other accounts: remove it, and the next start creates it`,
    );
  return token;
}
