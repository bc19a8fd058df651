import type { AdapterSettings } from '../../../providers/adapter.js';
import type { SecretInput } from './secret-input.js';

/** The part of their environment that commands use. */
export interface CommandShell {
  /** Progress and failures; results are printed by the service. */
  err(text: string): void;
  /** The source of secrets; missing = standard input and the terminal. */
  secretInput?: SecretInput;
  /** The settings of each adapter; missing = those of this version. */
  adapters?: Readonly<Record<string, AdapterSettings>>;
}
