import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ConnectionOptions } from '@temporalio/client';
import type { Settings } from '../config/settings.js';
import { createKeyReader } from './api-key-file.js';

/** The connection options of a process for the Temporal server. */
export interface TemporalPlace {
  address: string;
  namespace: string;
  tls?: Exclude<ConnectionOptions['tls'], null>;
  /** The current API key: a key in a file is read again when it changes. */
  apiKey?: () => string;
}

/** The settings that name the server, under the names that all of Temporal's tools use. */
export type TemporalSettings = Pick<
  Settings,
  | 'temporalNamespace'
  | 'temporalApiKey'
  | 'temporalApiKeyFile'
  | 'temporalTls'
  | 'temporalTlsClientCertPath'
  | 'temporalTlsClientCertData'
  | 'temporalTlsClientKeyPath'
  | 'temporalTlsClientKeyData'
  | 'temporalTlsServerCaCertPath'
  | 'temporalTlsServerCaCertData'
  | 'temporalTlsServerName'
> & { temporalAddress: string };

/**
 * Temporal's own reader interprets the settings; for example, an API key or a certificate turns TLS on. Its
 * configuration file is not read: a process has its settings from one place.
 */
export function temporalPlace(settings: TemporalSettings): TemporalPlace {
  const { temporalAddress: address, temporalNamespace: namespace, temporalApiKey: key } = settings;
  const variables = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_API_KEY: key,
    TEMPORAL_TLS: settings.temporalTls,
    TEMPORAL_TLS_CLIENT_CERT_PATH: settings.temporalTlsClientCertPath,
    TEMPORAL_TLS_CLIENT_CERT_DATA: settings.temporalTlsClientCertData,
    TEMPORAL_TLS_CLIENT_KEY_PATH: settings.temporalTlsClientKeyPath,
    TEMPORAL_TLS_CLIENT_KEY_DATA: settings.temporalTlsClientKeyData,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: settings.temporalTlsServerCaCertPath,
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: settings.temporalTlsServerCaCertData,
    TEMPORAL_TLS_SERVER_NAME: settings.temporalTlsServerName,
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  const { connectionOptions } = loadClientConnectConfig({
    disableFile: true,
    overrideEnvVars: Object.fromEntries(given) as Record<string, string>,
  });
  const tls = connectionOptions.tls ?? undefined;
  return {
    address,
    namespace,
    ...(tls === undefined ? {} : { tls }),
    ...(key === undefined ? {} : { apiKey: createKeyReader(key, settings.temporalApiKeyFile) }),
  };
}
