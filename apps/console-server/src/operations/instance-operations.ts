import { LIST_APPS } from './apps/list-apps.js';
import { APPS_IN_NEED } from './instance-start/apps-in-need.js';
import { INSTANCE_START } from './instance-start/instance-start.js';
import { LIST_BANKS } from './institutions/list-banks.js';
import { ONE_BANK } from './institutions/one-bank.js';
import { PAUSE_BANK, RESUME_BANK } from './institutions/pause-bank.js';
import { LIST_KEYS } from './keys/list-keys.js';
import type { Operation } from './operation.js';
import { LIST_PARTS } from './parts/list-parts.js';
import { CHECK_PROVIDER, PAUSE_PROVIDER, RESUME_PROVIDER } from './providers/change-provider.js';
import { LIST_PROVIDERS } from './providers/list-providers.js';
import { LIST_RECORD } from './record/list-record.js';

/** The operations below `/instance`. */
export const INSTANCE_OPERATIONS: readonly Operation[] = [
  INSTANCE_START,
  APPS_IN_NEED,
  LIST_APPS,
  LIST_BANKS,
  ONE_BANK,
  PAUSE_BANK,
  RESUME_BANK,
  LIST_PROVIDERS,
  PAUSE_PROVIDER,
  RESUME_PROVIDER,
  CHECK_PROVIDER,
  LIST_PARTS,
  LIST_KEYS,
  LIST_RECORD,
];
