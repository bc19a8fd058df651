import type { Tenant } from '../../../../../domain/api/environment.js';
import { unknownPair } from '../../../../operator/src/operations/pairs/create-pair.js';
import type { Service } from '../../../../operator/src/service.js';

/** The id of a key pair of an app and environment; that of any other is unknown. @throws Refusal */
export async function ownPair(
  { database }: Pick<Service, 'database'>,
  { appId, environment }: Tenant,
  clientId: string,
): Promise<string> {
  const found = await database.prisma.apiClient.findUnique({
    where: { appId_environment_clientId: { appId, environment, clientId } },
    select: { clientId: true },
  });
  if (found === null) throw unknownPair(clientId);
  return found.clientId;
}
