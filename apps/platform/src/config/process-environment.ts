import type { Environment } from './settings.js';
import { settingsUsedBy, type ProcessName } from './settings-table.js';

/** Variables that any program needs from its environment. */
const SYSTEM = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'PGSSLMODE',
];

/** Further variables for downloads and Go builds. */
const TOOLS = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'LOCALAPPDATA',
  'GOPATH',
  'GOROOT',
  'GOCACHE',
  'GOMODCACHE',
  'GOTMPDIR',
  'GOFLAGS',
  'GOENV',
  'GOPROXY',
  'GOSUMDB',
  'GONOSUMDB',
  'GOPRIVATE',
  'GONOPROXY',
  'GOINSECURE',
  'GOTOOLCHAIN',
];

/** A process of the service gets its own settings, and no secrets of other processes. */
export const environmentOf = (process: ProcessName, env: Environment): NodeJS.ProcessEnv =>
  only([...SYSTEM, ...settingsUsedBy(process)], env);

/** Third-party programs get no settings. */
export const programEnvironment = (env: Environment): NodeJS.ProcessEnv => only(SYSTEM, env);

export const toolEnvironment = (env: Environment): NodeJS.ProcessEnv =>
  only([...SYSTEM, ...TOOLS], env);

function only(names: readonly string[], env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
