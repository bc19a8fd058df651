import type { Client } from '@temporalio/client';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { openDatabase, type Database } from '../../../prisma/base/database/database.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { ClientSecretRepository } from '../../../prisma/tenants/applications/client-secret.repository.js';
import { CatalogOperatorRepository } from '../../../prisma/sources/catalog/catalog-operator.repository.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { KeyPairRepository } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { KeyRotationRepository } from '../../../prisma/base/keys/key-rotation.repository.js';
import { AppProviderRepository } from '../../../prisma/work/providers/app-provider.repository.js';
import { ConfigurationCheckRepository } from '../../../prisma/work/providers/configuration-check.repository.js';
import { MasterKeyRepository } from '../../../prisma/base/master-keys/master-key.repository.js';
import { rewrap, type Rewrapped } from '../../../prisma/base/master-keys/rewrap.js';
import { OperatorActionRepository } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { makeWebhookKey } from '../../../prisma/work/provider-webhooks/webhook-key.js';
import { QuotaRepository } from '../../../prisma/sources/quotas/quota.repository.js';
import { RefreshControlRepository } from '../../../prisma/work/refresh/refresh-control.repository.js';
import { RouteOperatorRepository } from '../../../prisma/sources/routing/route-operator.repository.js';
import { AppUseRepository } from '../../../prisma/tenants/usage/app-use.repository.js';
import { WebhookDeliveryRepository } from '../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import {
  readSettings,
  type Environment,
  type SettingsOf,
} from '../../platform/src/config/settings.js';
import { boundsOf } from '../../platform/src/config/app-bounds.js';
import { findService } from '../../platform/src/process/find-service.js';
import type { TemporalClient } from '../../platform/src/temporal/temporal-client.js';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';

/** The running service, for commands. */
export interface Service {
  settings: SettingsOf<'operator'>;
  database: Database;
  context: Context;
  applications: ApplicationRepository;
  clientSecrets: ClientSecretRepository;
  keyPairs: KeyPairRepository;
  catalog: CatalogRepository;
  catalogChanges: CatalogOperatorRepository;
  actions: OperatorActionRepository;
  keyRotations: KeyRotationRepository;
  masterKeys: MasterKeyRepository;
  /** Reseals the values of older master keys with the current one. */
  rewrap(): Promise<Rewrapped>;
  refreshControls: RefreshControlRepository;
  deliveries: WebhookDeliveryRepository;
  routes: RouteOperatorRepository;
  configurations: ProviderConfigurationRepository;
  configurationChecks: ConfigurationCheckRepository;
  appProviders: AppProviderRepository;
  quotas: QuotaRepository;
  appUse: AppUseRepository;
  /** Replaces an earlier address; null if the configuration is unknown. */
  makeWebhookKey(configuration: string): Promise<string | null>;
  /** Connects on first use: most commands need no Temporal. */
  temporal(): Promise<Client>;
  /** The same, without checking that the server responds. */
  temporalClient(): Promise<TemporalClient>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Of its connections to the database. */
  name?: string;
  maxConnections?: number;
  /** Also opens a database that was restored or failed over: for `recover` alone. */
  anyIdentity?: boolean;
}

export function openService(
  env: Environment,
  { name = 'tributary-operator', maxConnections = 2, anyIdentity = false }: ServiceOptions = {},
): Service {
  const settings = readSettings(findService(env), 'operator');
  const database = openDatabase({
    url: settings.databaseUrl,
    name,
    maxConnections,
    anyIdentity,
    onError: () => undefined,
  });
  const context = createContext(database, new Sealer(settings.masterKeys), {
    bounds: boundsOf(settings),
  });
  let temporal: TemporalClient | undefined;
  const temporalClient = async () => (temporal ??= await openTemporal(settings));
  return {
    settings,
    database,
    context,
    applications: new ApplicationRepository(context),
    clientSecrets: new ClientSecretRepository(context),
    keyPairs: new KeyPairRepository(context),
    catalog: new CatalogRepository(context),
    catalogChanges: new CatalogOperatorRepository(context),
    actions: new OperatorActionRepository(context),
    keyRotations: new KeyRotationRepository(context),
    masterKeys: new MasterKeyRepository(context),
    rewrap: () => rewrap(context),
    refreshControls: new RefreshControlRepository(context),
    deliveries: new WebhookDeliveryRepository(context),
    routes: new RouteOperatorRepository(context),
    configurations: new ProviderConfigurationRepository(context),
    configurationChecks: new ConfigurationCheckRepository(context),
    appProviders: new AppProviderRepository(context),
    quotas: new QuotaRepository(context),
    appUse: new AppUseRepository(context),
    makeWebhookKey: (configuration) => makeWebhookKey(context, configuration),
    temporal: async () => {
      const opened = await temporalClient();
      if (!(await opened.isAvailable()))
        throw new CommandFailure(
          `The Temporal server at ${settings.temporalAddress} does not respond: ${opened.unavailableReason}.`,
        );
      return opened.client;
    },
    temporalClient,
    close: async () => {
      await temporal?.close();
      await database.close();
    },
  };
}

async function openTemporal(settings: SettingsOf<'operator'>): Promise<TemporalClient> {
  const { temporalAddress, masterKeys } = settings;
  if (temporalAddress === undefined)
    throw new CommandFailure('This command needs the Temporal server: set TEMPORAL_ADDRESS.');
  const [{ openTemporalClient }, { temporalPlace }] = await Promise.all([
    import('../../platform/src/temporal/temporal-client.js'),
    import('../../platform/src/temporal/temporal-place.js'),
  ]);
  return openTemporalClient({ ...temporalPlace({ ...settings, temporalAddress }), masterKeys });
}
