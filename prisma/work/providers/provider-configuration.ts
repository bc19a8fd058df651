import type { Environment } from '../../../domain/api/environment.js';
import { SANDBOX_PROVIDER } from '../../../domain/link/provider-name.js';
import type { ProviderConfiguration } from '../../generated/client.js';

/** native-api 4.1: `Link.provider` of imports that do not name a provider. */
export const NO_PROVIDER = 'import';

/** Names that no configuration can have. */
export const RESERVED_NAMES: readonly string[] = [SANDBOX_PROVIDER, NO_PROVIDER];

/** Names are part of task queues, addresses and data keys. */
export const CONFIGURATION_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** Public client keys as published: RFC 7517, without private members. */
export type PublishedKeys = readonly Readonly<Record<string, unknown>>[];

/**
 * The result of a check as it is stored; the shape of providers/contract/configuration-report.ts.
 */
export interface CheckReport {
  ok: boolean;
  keysRefused: boolean;
  lines: readonly { what: string; ok: boolean; detail: string | null; remedy: string | null }[];
}

/** An operator's view of a configuration: everything but its secrets. */
export interface ConfigurationRecord {
  name: string;
  adapter: string;
  environment: Environment;
  settings: Readonly<Record<string, unknown>>;
  publicKeys: PublishedKeys | null;
  /** Counts changes of settings, secrets and `enabled`. */
  revision: number;
  enabled: boolean;
  /** The configuration serves nothing until a check succeeds. */
  broken: boolean;
  checkedAt: Date | null;
  report: CheckReport | null;
  credentialsEndAt: Date | null;
  maxLinks: number | null;
  createdAt: Date;
}

/** A configuration whose secrets can be opened. */
export interface StoredConfiguration extends ConfigurationRecord {
  /**
   * @throws SealedValueUnreadable when MASTER_KEYS lacks the key, or the configuration was removed
   * in the meantime
   */
  openSecrets(): Promise<Readonly<Record<string, string>>>;
}

// Only the repositories of this folder write these columns.
export function toRecord({
  environment,
  settings,
  publicKeys,
  checkReport,
  sealedSecrets: _,
  webhookKeyHash: __,
  checkDueAt: ___,
  ...row
}: ProviderConfiguration): ConfigurationRecord {
  return {
    ...row,
    environment: environment as Environment,
    settings: settings as Record<string, unknown>,
    publicKeys: (publicKeys as { keys: PublishedKeys } | null)?.keys ?? null,
    report: checkReport as unknown as CheckReport | null,
  };
}
