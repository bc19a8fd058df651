import type { ConfigurationRecord } from '../../../../../prisma/work/providers/provider-configuration.js';

/** `failing`: the last check did not succeed, for a reason other than the keys. */
export type ConfigurationState = 'disabled' | 'broken' | 'unchecked' | 'ok' | 'failing';

function stateOf({ enabled, broken, report }: ConfigurationRecord): ConfigurationState {
  if (!enabled) return 'disabled';
  if (broken) return 'broken';
  if (report === null) return 'unchecked';
  return report.ok ? 'ok' : 'failing';
}

/** A configuration as `providers list` prints it. */
export function presentConfiguration(found: ConfigurationRecord) {
  return {
    name: found.name,
    adapter: found.adapter,
    environment: found.environment,
    state: stateOf(found),
    checked_at: found.checkedAt?.toISOString() ?? null,
    credentials_end_at: found.credentialsEndAt?.toISOString() ?? null,
  };
}
