import { SANDBOX_PROVIDER } from '../../../../../domain/link/provider-name.js';
import {
  readProviders,
  readQuotas,
  type QuotaStanding,
} from '../../../../../prisma/operations/standing/provider-standing.js';
import type { ConfigurationRecord } from '../../../../../prisma/work/providers/provider-configuration.js';
import { presentConfiguration } from '../../../../operator/src/operations/providers/present-configuration.js';
import { pausesOf } from '../institutions/present-bank.js';
import { operation, type ConsoleParts } from '../operation.js';
import { ProviderListInput, type ProviderList, type ShownProvider } from './provider-shapes.js';

/** The facts of the configuration; the rest is the same for every provider. */
type Configured = Omit<ShownProvider, 'links' | 'quotas' | 'are_quotas_cut' | 'paused'>;

export const LIST_PROVIDERS = operation({
  call: 'GET /instance/providers',
  roles: ['operator'],
  level: 'read',
  input: ProviderListInput,
  run: async (parts): Promise<ProviderList> => {
    const { database } = parts.service;
    const providers = await configured(parts);
    const names = providers.map(({ name }) => name);
    const [standings, quotas] = await Promise.all([
      readProviders(database, names),
      readQuotas(database, names, parts.now()),
    ]);
    const ends = standings.map(({ provider: name, pausedUntil: until }) => ({ name, until }));
    const paused = await pausesOf(parts, 'provider', ends);
    return providers.map((provider) => {
      const own = quotas.filter((quota) => quota.provider === provider.name);
      return {
        ...provider,
        links: standings.find((each) => each.provider === provider.name)?.links ?? 0,
        quotas: own.map(presentQuota),
        are_quotas_cut: own.some(({ isCut }) => isCut),
        paused: paused.get(provider.name) ?? null,
      };
    });
  },
});

/** The built-in provider first, if it serves an institution. */
async function configured({ service }: Pick<ConsoleParts, 'service'>): Promise<Configured[]> {
  const route = await service.database.prisma.institutionRoute.findFirst({
    where: { provider: SANDBOX_PROVIDER },
    select: { provider: true },
  });
  const records = await service.configurations.list();
  return [...(route === null ? [] : [BUILT_IN]), ...records.map(present)];
}

const BUILT_IN: Configured = {
  name: SANDBOX_PROVIDER,
  adapter: SANDBOX_PROVIDER,
  environment: null,
  state: 'built_in',
  check: null,
  credentials_end_at: null,
  max_links: null,
};

function present(found: ConfigurationRecord): Configured {
  const { checked_at: at, ...shown } = presentConfiguration(found);
  const { report } = found;
  return {
    ...shown,
    check: report === null || at === null ? null : { at, ok: report.ok, lines: [...report.lines] },
    max_links: found.maxLinks,
  };
}

function presentQuota(use: QuotaStanding): ShownProvider['quotas'][number] {
  return {
    name: use.quota,
    limit: use.limit,
    counted_for: use.subjects,
    used_up: use.usedUp,
    least_left: use.leastLeft,
    next_room_at: use.freesAt.toISOString(),
  };
}
