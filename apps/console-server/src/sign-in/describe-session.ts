import type { ConsoleSessionRecord } from '../../../../prisma/operations/console/console-session.repository.js';
import { buildInfo } from '../../../platform/src/build/build-info.js';
import type { SettingsOf } from '../../../platform/src/config/settings.js';
import type { Service } from '../../../operator/src/service.js';
import type { SessionView } from './session-view.js';

const MAX_APPS = 200;

export type DescribeSession = (session: ConsoleSessionRecord) => Promise<SessionView>;

export function sessionDescriber(
  { database: { prisma } }: Pick<Service, 'database'>,
  settings: SettingsOf<'console'>,
): DescribeSession {
  return async ({ actor, grants, signedInAt, endsAt }) => {
    const ofOperator = grants.filter(({ role }) => role === 'operator');
    const isOperator = ofOperator.length > 0;
    const own = grants.flatMap(({ appId }) => (appId === null ? [] : [appId]));
    const apps = await prisma.application.findMany({
      ...(isOperator ? {} : { where: { appId: { in: own } } }),
      select: { appId: true, name: true },
      orderBy: [{ name: 'asc' }, { appId: 'asc' }],
      take: MAX_APPS,
    });
    const isReadOnly = (appId: string): boolean =>
      grants.every((grant) => grant.isReadOnly || (grant.appId !== null && grant.appId !== appId));
    return {
      actor,
      role: isOperator ? 'operator' : 'app',
      is_read_only: (isOperator ? ofOperator : grants).every((grant) => grant.isReadOnly),
      signed_in_at: signedInAt.toISOString(),
      ends_at: endsAt.toISOString(),
      apps: apps.map(({ appId, name }) => ({
        app_id: appId,
        name,
        is_read_only: isReadOnly(appId),
      })),
      version: buildInfo().version,
      base_url: settings.baseUrl,
      connect_base_url: settings.connectBaseUrl,
      temporal_ui_url: settings.temporalUiUrl ?? null,
      temporal_namespace: settings.temporalNamespace,
      grafana_url: settings.grafanaUrl ?? null,
    };
  };
}
