import type { StoredSecrets } from '../data-folder/stored-secrets.js';
import type { PartName } from '../data-folder/process-record.js';

/**
 * `standalone.json`: the data with which a script uses the running service. Null: a part that this service
 * does not run.
 */
export interface StandaloneDescription {
  base_url: string;
  connect_base_url: string;
  sandbox_bank_url: string;
  sandbox_bank_control_url: string;
  console_url: string | null;
  temporal_address: string;
  temporal_namespace: string;
  temporal_ui_url: string | null;
  database_url: string;
  metrics_url: string;
  worker_metrics_url: string;
  webhooks_metrics_url: string;
  apps: StoredSecrets['apps'];
  processes: { supervisor: number } & Record<PartName, number | null>;
}
