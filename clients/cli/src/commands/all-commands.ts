import type { CliCommand } from '../cli-command.js';
import { DOCTOR } from './doctor.js';
import { EVENT_COMMANDS } from './event-commands.js';
import { EXPORT_COMMANDS } from './export-commands.js';
import { INSTITUTION_COMMANDS } from './institution-commands.js';
import { INVESTMENT_COMMANDS } from './investment-commands.js';
import { LIABILITY_COMMANDS } from './liability-commands.js';
import { CREATE_LINK } from './create-link.js';
import { LINK_COMMANDS } from './link-commands.js';
import { LISTEN } from './listen.js';
import { LOGIN } from './login.js';
import { PROFILE_COMMANDS } from './profile-commands.js';
import { RECURRING_COMMANDS } from './recurring-commands.js';
import { SANDBOX_COMMANDS } from './sandbox-commands.js';
import { SCRIPT_COMMANDS } from './script-commands.js';
import { SESSION_COMMANDS } from './session-commands.js';
import { SYNC } from './sync.js';
import { TRIGGER } from './trigger.js';
import { VERIFICATION_COMMANDS } from './verification-commands.js';

/** In the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  LOGIN,
  ...PROFILE_COMMANDS,
  DOCTOR,
  LISTEN,
  TRIGGER,
  ...LINK_COMMANDS,
  CREATE_LINK,
  ...SESSION_COMMANDS,
  ...EVENT_COMMANDS,
  SYNC,
  ...RECURRING_COMMANDS,
  ...INVESTMENT_COMMANDS,
  ...LIABILITY_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...INSTITUTION_COMMANDS,
  ...VERIFICATION_COMMANDS,
  ...EXPORT_COMMANDS,
];

export const GROUPS: Readonly<Record<string, string>> = {
  profiles: 'Stored key pairs.',
  links: 'Connections of users to their banks.',
  sessions: 'Attempts of people to link a bank.',
  events: 'The log of webhooks.',
  recurring: 'Payments that return.',
  holdings: 'Positions of investment accounts.',
  'investment-transactions': 'Purchases, sales and other movements of investment accounts.',
  liabilities: 'Debts.',
  worlds: 'Sandbox worlds with a clock of their own.',
  fault: 'Faults of the sandbox banks.',
  institutions: 'Banks that users can choose.',
  webhook: 'Single webhooks.',
  export: 'All data stored for a link or user.',
};
