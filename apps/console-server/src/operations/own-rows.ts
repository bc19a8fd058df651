import type { Tenant } from '../../../../domain/api/environment.js';
import type { Service } from '../../../operator/src/service.js';
import { unknown } from './not-found.js';
import { OperationRefused } from './operation.js';

type Rows = Pick<Service, 'database'>;

/** @throws OperationRefused 404 unless the link is one of the app and environment */
export async function requireLink(
  { database }: Rows,
  { appId, environment }: Tenant,
  linkId: string,
): Promise<void> {
  const link = await database.prisma.link.findUnique({
    where: { linkId, appId, environment },
    select: { pk: true },
  });
  if (link === null) throw unknown('link_error.not_found');
}

/** @throws OperationRefused 404 unless the delivery is one of the app and environment */
export async function requireDelivery(
  { database }: Rows,
  { appId, environment }: Tenant,
  deliveryId: string,
): Promise<void> {
  const delivery = await database.prisma.webhookDelivery.findUnique({
    where: { deliveryId, appId, environment },
    select: { pk: true },
  });
  if (delivery === null) throw unknownDelivery();
}

export const unknownDelivery = (): OperationRefused =>
  new OperationRefused(404, 'webhook_error.not_found', 'Delivery not found.');

/** @throws OperationRefused 404 */
export async function requireApp({ database }: Rows, { appId }: Tenant): Promise<void> {
  const app = await database.prisma.application.findUnique({
    where: { appId },
    select: { appId: true },
  });
  if (app === null) throw new OperationRefused(404, 'console.not_found', 'App not found.');
}
