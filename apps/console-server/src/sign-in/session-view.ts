/** What the page knows of the signed-in person and of the instance. */
export interface SessionView {
  actor: string;
  role: 'operator' | 'app';
  /** Of operators: for the instance, and for apps without a grant of their own. Of others: for each of their apps. */
  is_read_only: boolean;
  signed_in_at: string;
  ends_at: string;
  /** Those that the person may open, by name; of more than 200 the first. */
  apps: { app_id: string; name: string; is_read_only: boolean }[];
  version: string;
  base_url: string;
  connect_base_url: string;
  temporal_ui_url: string | null;
  temporal_namespace: string;
  grafana_url: string | null;
}
