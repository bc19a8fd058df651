import { isThere, startCaddy, startHaproxy, startIngress, startNginx } from './proxies.js';

const canCertify = isThere('openssl', 'version');

interface ShippedProxy {
  name: string;
  start: () => Promise<void>;
  /** Its program, and openssl for its certificate, are installed. */
  isPresent: boolean;
}

/** The proxies of `deploy`, each with the program that a test starts. */
export const SHIPPED_PROXIES: readonly ShippedProxy[] = (
  [
    ['HAProxy', 'haproxy', '-v', startHaproxy],
    ['nginx', 'nginx', '-v', () => startNginx()],
    ['Caddy', 'caddy', 'version', startCaddy],
    ['The ingress', 'nginx', '-v', startIngress],
  ] as const
).map(([name, program, version, start]) => ({
  name,
  start,
  isPresent: canCertify && isThere(program, version),
}));
