import { catalogueSync } from './catalogue-sync/catalogue-sync.workflow.js';
import { linkDeletion } from './link-deletion/link-deletion.workflow.js';
import { periodicAggregation } from './periodic-aggregation/periodic-aggregation.workflow.js';
import { permissionEnd } from './permission-end/permission-end.workflow.js';
import { productRefresh } from './product-refresh/product-refresh.workflow.js';
import { providerWebhook } from './provider-webhook/provider-webhook.workflow.js';
import { sandboxControl } from './sandbox-control/sandbox-control.workflow.js';
import { linkSession, reauthentication } from './session/session.workflow.js';
import { signingKeyRotation } from './signing-key-rotation/signing-key-rotation.workflow.js';
import { userErasure } from './user-erasure/user-erasure.workflow.js';
import { setVersioning } from './versioning.js';
import { webhookDelivery } from './webhook-delivery/webhook-delivery.workflow.js';

/** All workflows: bundled into workers, and replayed against recorded histories. */
const WORKFLOWS = {
  linkSession,
  reauthentication,
  productRefresh,
  permissionEnd,
  providerWebhook,
  linkDeletion,
  userErasure,
  webhookDelivery,
  periodicAggregation,
  catalogueSync,
  signingKeyRotation,
  sandboxControl,
};

setVersioning(WORKFLOWS);

export {
  linkSession,
  reauthentication,
  productRefresh,
  permissionEnd,
  providerWebhook,
  linkDeletion,
  userErasure,
  webhookDelivery,
  periodicAggregation,
  catalogueSync,
  signingKeyRotation,
  sandboxControl,
};
