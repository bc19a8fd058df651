import type { FinishedCheck } from '../../../../prisma/work/providers/configuration-check.repository.js';
import { SealedValueUnreadable } from '../../../../prisma/base/sealing/aes-gcm.js';
import { SettingsRefused } from '../../../../providers/read-settings.js';
import { redactText } from '../../../platform/src/logging/redaction.js';

/** The reason that a configuration cannot be opened; null for transient failures, such as a lost database. */
export function unusableReason(error: unknown): string | null {
  return error instanceof SettingsRefused || error instanceof SealedValueUnreadable
    ? redactText(error.message)
    : null;
}

/** The text in `providers list` and `providers check`. */
export function reportUnusable(reason: string): FinishedCheck {
  return {
    report: {
      ok: false,
      keysRefused: false,
      lines: [
        {
          what: 'the worker can open the configuration',
          ok: false,
          detail: reason,
          remedy:
            'Correct it with `providers set` or `providers rotate`; give the worker every master key that sealed rows need.',
        },
      ],
    },
    credentialsEndAt: null,
    unusable: true,
  };
}
