import type { asText, describeSettings } from '../../apps/operator/src/adapter-options.js';
import type { AdapterSettings } from '../../providers/adapter.js';

export function settingsTables(
  settings: AdapterSettings,
  commands: { asText: typeof asText; describeSettings: typeof describeSettings },
): string;
