import type { SearchAttributePair } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import type { RefreshSubject } from '../../domain/refresh/refresh-subject.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { pinned, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const PRODUCT_REFRESH_WORKFLOW = 'productRefresh';
export interface ProductRefreshInput {
  linkId: string;
  /** The period for which one run retries a failing fetch (FETCH_RETRY_FOR). */
  fetchRetryForMs: number;
  /**
   * The same for Sandbox links (FETCH_RETRY_FOR_SANDBOX). Does not apply to internal failures: a
   * lost worker or an unavailable database.
   */
  fetchRetryForSandboxMs: number;
  /** Delay before the first retry; later ones double. */
  firstRetryMs: number;
  /** The time limit of a source's update from its bank; ten minutes if omitted. */
  updateForMs?: number;
}

/** The result of the last execution in a chain. */
export interface ProductRefreshResult {
  runs: number;
}

/**
 * There are new rows in `refresh_requests`. Always sent by signal-with-start, so a running refresh
 * picks them up, too.
 */
export const refreshRequestedSignal = defineSignal('refreshRequested');

export function productRefreshWorkflowId(linkId: string): string {
  return `product-refresh/${linkId}`;
}

/**
 * The facts of the link that are known when a refresh starts; the run sets the others when it
 * starts.
 */
export interface RefreshStart extends ProductRefreshInput {
  subject?: RefreshSubject;
}

export function refreshAttributes(subject: RefreshSubject): SearchAttributePair[] {
  const { appId, environment, institutionId, provider, products } = subject;
  return [
    { key: SEARCH_ATTRIBUTES.appId, value: appId },
    { key: SEARCH_ATTRIBUTES.environment, value: environment },
    { key: SEARCH_ATTRIBUTES.institutionId, value: institutionId },
    { key: SEARCH_ATTRIBUTES.provider, value: provider },
    { key: SEARCH_ATTRIBUTES.products, value: products },
  ];
}

/** For `client.workflow.signalWithStart(PRODUCT_REFRESH_WORKFLOW, …)`. */
export function productRefreshStartOptions({ subject, ...input }: RefreshStart) {
  return {
    workflowId: productRefreshWorkflowId(input.linkId),
    taskQueue: linksQueue(subject?.environment),
    args: [input] as [ProductRefreshInput],
    signal: refreshRequestedSignal,
    signalArgs: [] as [],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.linkId, value: input.linkId },
      ...(subject === undefined ? [] : refreshAttributes(subject)),
    ],
    staticSummary: `Refresh of ${input.linkId}`,
    staticDetails:
      'Fetches, stores and announces the requested products of one link. Requests made in the meantime are merged into the same workflow.',
  };
}

interface RefreshFacts {
  /** Search attributes of a refresh of the link; undefined = the link does not exist. */
  subjectOf(linkId: string): Promise<RefreshSubject | undefined>;
  refresh: Omit<ProductRefreshInput, 'linkId'>;
}

const startProductRefresh: WorkflowCommand<{ linkId: string }, RefreshFacts> = {
  async action({ linkId }, { subjectOf, refresh }) {
    const subject = await subjectOf(linkId);
    const start = { linkId, ...refresh, ...(subject === undefined ? {} : { subject }) };
    return { name: 'signalWithStart', options: productRefreshStartOptions(start) };
  },
  runOf: ({ linkId }) => productRefreshWorkflowId(linkId),
};

export const PRODUCT_REFRESH_CONTRACT = {
  type: PRODUCT_REFRESH_WORKFLOW,
  versioning: pinned('it ends within hours, and the next refresh is of the current build'),
  commands: { startProductRefresh },
} as const satisfies WorkflowContract;
