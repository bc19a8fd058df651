import { withoutTrailingSlashes } from '../../../../../packages/connect-js/src/without-trailing-slashes.js';
import type { Session } from '../../data/session.js';

/** A workflow in the UI of Temporal; null = its address is not set, or not one of the web. */
export function workflowAddress(
  {
    temporal_ui_url: base,
    temporal_namespace: namespace,
  }: Pick<Session, 'temporal_ui_url' | 'temporal_namespace'>,
  workflowId: string,
): string | null {
  if (base === null || !/^https?:\/\//.test(base)) return null;
  return `${withoutTrailingSlashes(base)}/namespaces/${encodeURIComponent(namespace ?? 'default')}/workflows/${encodeURIComponent(workflowId)}`;
}
