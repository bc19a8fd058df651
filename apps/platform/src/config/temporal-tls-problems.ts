import { isLoopback } from './loopback.js';

type Values = Readonly<Record<string, unknown>>;

/** Each part of TLS is a file or a text. */
const PARTS = [
  ['TEMPORAL_TLS_SERVER_CA_CERT', 'temporalTlsServerCaCert'],
  ['TEMPORAL_TLS_CLIENT_CERT', 'temporalTlsClientCert'],
  ['TEMPORAL_TLS_CLIENT_KEY', 'temporalTlsClientKey'],
] as const;

/** Conflicts between settings that are valid alone: Temporal's reader would silently drop half a pair. */
export function temporalTlsProblems(settings: Values): string[] {
  const has = (name: string): boolean => settings[name] !== undefined;
  const isGiven = (part: string): boolean => has(`${part}Path`) || has(`${part}Data`);
  const problems = PARTS.filter(([, part]) => has(`${part}Path`) && has(`${part}Data`)).map(
    ([name]) => `${name}_PATH and ${name}_DATA are both set: keep one`,
  );
  const [hasCertificate, hasKey] = [
    isGiven('temporalTlsClientCert'),
    isGiven('temporalTlsClientKey'),
  ];
  if (hasCertificate !== hasKey)
    problems.push(
      `TEMPORAL_TLS_CLIENT_${hasCertificate ? 'KEY' : 'CERT'}_PATH is missing: a client certificate needs its private key, and the reverse`,
    );
  if (settings['temporalTls'] !== 'false') return problems;
  if (has('temporalApiKey') && !isLoopback(`http://${String(settings['temporalAddress'])}`))
    problems.push(
      'TEMPORAL_TLS must not be false with TEMPORAL_API_KEY, which it would send in clear text, unless TEMPORAL_ADDRESS is a loopback address',
    );
  if (isGiven('temporalTlsServerCaCert') || hasCertificate || has('temporalTlsServerName'))
    problems.push('TEMPORAL_TLS must not be false beside settings of TLS: remove one or the other');
  return problems;
}
