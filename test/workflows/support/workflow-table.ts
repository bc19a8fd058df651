import { catalogSyncId } from '../../../workflows/catalog-sync/catalog-sync.contract.js';
import { linkDeletionWorkflowId } from '../../../workflows/link-deletion/link-deletion.contract.js';
import {
  linkSessionWorkflowId,
  reauthenticationWorkflowId,
} from '../../../workflows/session/session.contract.js';
import { periodicAggregationId } from '../../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { productRefreshWorkflowId } from '../../../workflows/product-refresh/product-refresh.contract.js';
import { providerWebhookWorkflowId } from '../../../workflows/provider-webhook/provider-webhook.contract.js';
import { sandboxControlWorkflowId } from '../../../workflows/sandbox-control/sandbox-control.contract.js';
import { signingKeyRotationWorkflowId } from '../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import { userErasureWorkflowId } from '../../../workflows/user-erasure/user-erasure.contract.js';
import type { WorkflowType } from '../../../workflows/workflow-list.contract.js';
import { webhookDeliveryWorkflowId } from '../../../workflows/webhook-delivery/webhook-delivery.contract.js';

/** The name of the provider in them. */
export const PROVIDER = 'bank';

interface Workflow {
  id: (suffix: string) => string;
  input: (suffix: string) => unknown;
  /**
   * The results of its activities. Those of banks, which a stranger can complete by their id, come
   * last.
   */
  results: Readonly<Record<string, unknown>>;
  /**
   * The activity that a stranger completes, and the subsequent result or failure of the workflow.
   */
  ended?: { activity: string; then: 'repeated' | 'failed' };
  /** The last activity before it waits for messages, if it is not the first. */
  waitsAfter?: string;
  messages?: { signals?: readonly string[]; updates?: readonly string[] };
}

const session = {
  input: (sessionId: string) => ({ sessionId, softReplyMs: 60_000 }),
  results: {
    loadSession: {
      state: 'open',
      seq: 0,
      phase: 'unopened',
      lastStep: null,
      question: null,
      questions: [],
      isExtension: false,
      hasGrant: false,
      presetInstitutionId: 'bank',
      institutionId: 'bank',
      mayChooseAnother: false,
      login: null,
      stepExpiresInMs: null,
    },
    beginLogin: {
      linkId: 'mk_1',
      provider: PROVIDER,
      institutionId: 'bank',
      attemptKey: 'a',
      mayRepeat: true,
    },
    finishLinking: { state: 'succeeded', lookAgainInMs: null, link: null },
    openBankLogin: { kind: 'linked', accounts: 1, questions: [] },
  },
  ended: { activity: 'openBankLogin', then: 'repeated' as const },
  waitsAfter: 'expireIfDue',
  messages: {
    signals: ['exchanged', 'sessionEnded'],
    updates: ['openSession', 'submitStep', 'exitSession'],
  },
};

const plan = {
  linkId: 'mk_1',
  run: 'run_1',
  remoteId: 'remote',
  appId: 'demo',
  joined: [],
  provider: PROVIDER,
  institutionId: 'bank',
  environment: 'live',
  products: [{ product: 'accounts', window: null, attempt: 'try_1' }],
};

/** All workflows of the service, with the results of their activities. */
export const WORKFLOWS: Readonly<Record<WorkflowType, Workflow>> = {
  linkSession: { id: linkSessionWorkflowId, ...session },
  reauthentication: { id: reauthenticationWorkflowId, ...session },
  productRefresh: {
    id: productRefreshWorkflowId,
    input: (linkId) => ({
      linkId,
      fetchRetryForMs: 600_000,
      fetchRetryForSandboxMs: 600_000,
      firstRetryMs: 1,
    }),
    results: { beginRefreshRun: plan, retryProduct: 'try_2', fetchProduct: { kind: 'stored' } },
    ended: { activity: 'fetchProduct', then: 'repeated' },
    messages: { signals: ['refreshRequested'] },
  },
  linkDeletion: {
    id: linkDeletionWorkflowId,
    input: (linkId) => ({ linkId, firstRetryMs: 1, longestRetryMs: 1 }),
    results: {
      planDeletion: {
        appId: 'demo',
        environment: 'sandbox',
        institutionId: 'bank',
        deleted: false,
        revocations: [{ revocationId: 'rev_1', provider: PROVIDER, giveUpInMs: 600_000 }],
      },
      revokePermission: { kind: 'revoked' },
    },
    ended: { activity: 'revokePermission', then: 'repeated' },
    messages: { signals: ['deletionRequested'] },
  },
  webhookDelivery: {
    id: webhookDeliveryWorkflowId,
    input: (deliveryId) => ({
      deliveryId,
      endpointHost: 'app.example',
      webhookEvent: 'link.product_refresh',
      attemptTimeoutMs: 60_000,
      retryMs: 1,
    }),
    results: { attemptDelivery: 'delivered' },
    ended: { activity: 'attemptDelivery', then: 'repeated' },
  },
  permissionEnd: {
    id: (linkId) => `permission-end/${linkId}/0`,
    input: (linkId) => ({ linkId, provider: PROVIDER, dueAt: '2026-01-01T00:00:00Z' }),
    results: { endPermission: null },
    ended: { activity: 'endPermission', then: 'repeated' },
  },
  providerWebhook: {
    id: providerWebhookWorkflowId,
    input: (webhookId) => ({ webhookId, provider: PROVIDER }),
    results: { readProviderWebhook: null },
    ended: { activity: 'readProviderWebhook', then: 'repeated' },
  },
  catalogSync: {
    id: catalogSyncId,
    input: () => ({ configuration: PROVIDER, acceptLosses: false }),
    results: { syncCatalog: { kind: 'switched' } },
    ended: { activity: 'syncCatalog', then: 'repeated' },
  },
  // An answer to a bank, or a change at one, is not repeated: the row stays for the next run.
  sandboxControl: {
    id: sandboxControlWorkflowId,
    input: (requestId) => ({ requestId, action: { kind: 'request' } }),
    results: { performSandboxRequest: null },
    ended: { activity: 'performSandboxRequest', then: 'failed' },
  },
  userErasure: {
    id: userErasureWorkflowId,
    input: (erasureId) => ({ erasureId, firstWaitMs: 1, longestWaitMs: 1 }),
    results: { advanceErasure: 'done' },
  },
  periodicAggregation: {
    id: (shard) => periodicAggregationId(Number.parseInt(shard, 36)),
    input: () => ({ shard: 0, shards: 1, batch: 1, maxRounds: 1 }),
    results: { dispatchDueLinks: { claimed: 0, asked: 0, more: false } },
  },
  signingKeyRotation: {
    id: signingKeyRotationWorkflowId,
    input: () => undefined,
    results: { publishNextKey: null },
  },
};
