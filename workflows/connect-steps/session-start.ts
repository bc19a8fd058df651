import type { Environment } from '../../domain/api/environment.js';
import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import type { SessionInput } from './connect-steps.contract.js';

/** What is needed to start a session's workflow. */
export interface SessionStart extends SessionInput {
  appId: string;
  environment: Environment;
}

/** Start options shared by new links and relinks. */
export function sessionStartOptions({ sessionId, softReplyMs, appId, environment }: SessionStart) {
  return {
    taskQueue: linksQueue(environment),
    args: [{ sessionId, softReplyMs }] as [SessionInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.linkSessionId, value: sessionId },
      { key: SEARCH_ATTRIBUTES.appId, value: appId },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
    ]),
  };
}
