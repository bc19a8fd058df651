import { linkAccess, type LinkAccessDeps } from '../../../../activities/link-access.js';
import { createContext, type Context } from '../../../../prisma/base/context.js';
import { openDatabase } from '../../../../prisma/base/database/database.js';
import { SessionLocks } from '../../../../prisma/base/database/session-locks.js';
import { CredentialRenewals } from '../../../../prisma/sources/permissions/credential-renewals.js';
import { CredentialRepository } from '../../../../prisma/sources/permissions/credential.repository.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { QuotaRepository } from '../../../../prisma/sources/quotas/quota.repository.js';
import { Sealer } from '../../../../prisma/base/sealing/sealer.js';
import { ADAPTERS } from '../../../../providers/adapters.js';
import { manifestOf } from '../../../../providers/manifests.js';
import { readAdapterSettings } from '../../../../providers/read-settings.js';
import {
  recordWalk,
  RecordingRefused,
  type RecordWalkParts,
} from '../../../../providers/recordings/record-walk.js';
import type { Recording } from '../../../../providers/recordings/recording.js';
import { readSettings, type Environment } from '../../../platform/src/config/settings.js';
import { findService } from '../../../platform/src/process/find-service.js';

const DEADLINE_MS = 10 * 60_000;

export interface RecordRequest {
  name: string;
  linkId: string | undefined;
  nameOrigin: RecordWalkParts['nameOrigin'];
}

/**
 * Records with the stored keys of a configuration. The reads of a link draw on its quotas, and a
 * renewed credential is stored, as in a refresh.
 * @throws RecordingRefused, ProviderFailure, SettingsError, ServiceNotFound
 */
export async function recordConfiguration(
  env: Environment,
  { name, linkId, nameOrigin }: RecordRequest,
): Promise<Recording> {
  const settings = readSettings(findService(env), 'operator');
  const database = openDatabase({
    url: settings.databaseUrl,
    name: 'tributary-record',
    maxConnections: 2,
    onError: () => undefined,
  });
  const ctx = createContext(database, new Sealer(settings.masterKeys));
  const locks = new SessionLocks(database.pool);
  const deps = { renewals: new CredentialRenewals(ctx, locks), quotas: new QuotaRepository(ctx) };
  try {
    const found = await findConfiguration(ctx, name);
    return await recordWalk({
      ...found,
      link: linkId === undefined ? null : await openLink(ctx, deps, { name, linkId }),
      now: ctx.clock(),
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(nameOrigin === undefined ? {} : { nameOrigin }),
    });
  } finally {
    locks.close();
    await database.close();
  }
}

async function findConfiguration(
  ctx: Context,
  name: string,
): Promise<Pick<RecordWalkParts, 'adapter' | 'profile' | 'configuration'>> {
  const stored = await new ProviderConfigurationRepository(ctx).find(name);
  if (stored === null)
    throw new RecordingRefused(`There is no configuration "${name}": providers list shows them.`);
  const adapter = ADAPTERS.find((known) => known.name === stored.adapter);
  const profile = manifestOf(stored.adapter)?.recording;
  if (adapter === undefined || profile === undefined)
    throw new RecordingRefused(`This version has no adapter "${stored.adapter}".`);
  const { environment, settings, openSecrets } = stored;
  const read = readAdapterSettings(adapter.settings, {
    environment,
    settings,
    secrets: await openSecrets(),
  });
  return {
    adapter,
    profile,
    configuration: { adapter: stored.adapter, name, environment, ...read },
  };
}

async function openLink(
  ctx: Context,
  deps: LinkAccessDeps,
  { name, linkId }: { name: string; linkId: string },
): Promise<NonNullable<RecordWalkParts['link']>> {
  const held = await new CredentialRepository(ctx).credential(linkId);
  if (held === null)
    throw new RecordingRefused(`There is no link "${linkId}", or it has no permission.`);
  const { provider: servedBy, ...access } = held;
  if (servedBy !== name)
    throw new RecordingRefused(`The link is served by "${servedBy}", not by "${name}".`);
  return {
    remoteId: held.remoteId,
    accessFor: (provider, signal) =>
      linkAccess(deps, provider, { ...access, linkId, isScheduled: false }, signal),
  };
}
