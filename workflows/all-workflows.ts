/** Every workflow: bundled into workers, and replayed against recorded histories. */
export { catalogSync } from './catalog-sync/catalog-sync.workflow.js';
export { linkDeletion } from './link-deletion/link-deletion.workflow.js';
export { periodicAggregation } from './periodic-aggregation/periodic-aggregation.workflow.js';
export { permissionEnd } from './permission-end/permission-end.workflow.js';
export { productRefresh } from './product-refresh/product-refresh.workflow.js';
export { providerWebhook } from './provider-webhook/provider-webhook.workflow.js';
export { sandboxControl } from './sandbox-control/sandbox-control.workflow.js';
export { linkSession, reauthentication } from './session/session.workflow.js';
export { signingKeyRotation } from './signing-key-rotation/signing-key-rotation.workflow.js';
export { userErasure } from './user-erasure/user-erasure.workflow.js';
export { webhookDelivery } from './webhook-delivery/webhook-delivery.workflow.js';
