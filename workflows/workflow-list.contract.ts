import { LINK_SESSION_CONTRACT, REAUTHENTICATION_CONTRACT } from './session/session.contract.js';
import { PRODUCT_REFRESH_CONTRACT } from './product-refresh/product-refresh.contract.js';
import { SANDBOX_CONTROL_CONTRACT } from './sandbox-control/sandbox-control.contract.js';
import { PERIODIC_AGGREGATION_CONTRACT } from './periodic-aggregation/periodic-aggregation.contract.js';
import { CATALOG_SYNC_CONTRACT } from './catalog-sync/catalog-sync.contract.js';
import { WEBHOOK_DELIVERY_CONTRACT } from './webhook-delivery/webhook-delivery.contract.js';
import { PROVIDER_WEBHOOK_CONTRACT } from './provider-webhook/provider-webhook.contract.js';
import { SIGNING_KEY_ROTATION_CONTRACT } from './signing-key-rotation/signing-key-rotation.contract.js';
import { LINK_DELETION_CONTRACT } from './link-deletion/link-deletion.contract.js';
import { PERMISSION_END_CONTRACT } from './permission-end/permission-end.contract.js';
import { USER_ERASURE_CONTRACT } from './user-erasure/user-erasure.contract.js';
import type { WorkflowContract } from './workflow.contract.js';

/** Every workflow. Its function is the export of that name in a file of its folder. */
export const WORKFLOWS = [
  LINK_SESSION_CONTRACT,
  REAUTHENTICATION_CONTRACT,
  PRODUCT_REFRESH_CONTRACT,
  SANDBOX_CONTROL_CONTRACT,
  PERIODIC_AGGREGATION_CONTRACT,
  CATALOG_SYNC_CONTRACT,
  WEBHOOK_DELIVERY_CONTRACT,
  PROVIDER_WEBHOOK_CONTRACT,
  SIGNING_KEY_ROTATION_CONTRACT,
  LINK_DELETION_CONTRACT,
  PERMISSION_END_CONTRACT,
  USER_ERASURE_CONTRACT,
] as const satisfies readonly WorkflowContract[];

export type WorkflowType = (typeof WORKFLOWS)[number]['type'];
