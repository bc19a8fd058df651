/** The signed-in person and the instance, as the page knows them. */
export interface SessionView {
  actor: string;
  role: 'operator' | 'app';
  /** Of operators: for the instance, and for apps without a grant of their own. Of others: for each of their apps. */
  is_read_only: boolean;
  signed_in_at: string;
  ends_at: string;
  /** By name; at most the first 200 that the person may open. */
  apps: { app_id: string; name: string; is_read_only: boolean }[];
  version: string;
  base_url: string;
  connect_base_url: string;
  temporal_ui_url: string | null;
  temporal_namespace: string;
  grafana_url: string | null;
}
