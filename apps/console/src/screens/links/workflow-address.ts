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
  return `${base.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace ?? 'default')}/workflows/${encodeURIComponent(workflowId)}`;
}
