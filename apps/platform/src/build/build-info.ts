import { existsSync, readFileSync } from 'node:fs';

export interface BuildInfo {
  /** Version of the release, for example `0.1.0`. */
  version: string;
  /** Twelve hexadecimal digits of a hash of the compiled code; `source` for code run from source. */
  build: string;
}

const ROOT = new URL('../../../../', import.meta.url);
let known: BuildInfo | undefined;

/** The build of this process, as `tools/build.mjs` recorded it beside the compiled code. */
export function buildInfo(): BuildInfo {
  known ??= readBuildInfo();
  return known;
}

function readBuildInfo(): BuildInfo {
  const noted = new URL('build.json', ROOT);
  if (existsSync(noted)) {
    const { version, build } = JSON.parse(readFileSync(noted, 'utf8')) as BuildInfo;
    return { version, build };
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as BuildInfo;
  return { version, build: 'source' };
}
