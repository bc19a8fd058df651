import type { Environment } from './settings.js';
import { variablesUsedBy, type ProcessName } from './settings-table.js';

/** Environment variables that every program needs. */
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

/** Further variables for a download or a build with Go. */
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

/** A process of the service receives its own settings and no secret of another process. */
export const environmentOf = (process: ProcessName, env: Environment): NodeJS.ProcessEnv =>
  only([...SYSTEM, ...variablesUsedBy(process)], env);

/** A third-party program receives no settings. */
export const programEnvironment = (env: Environment): NodeJS.ProcessEnv => only(SYSTEM, env);

export const toolEnvironment = (env: Environment): NodeJS.ProcessEnv =>
  only([...SYSTEM, ...TOOLS], env);

function only(names: readonly string[], env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
