import type { OperatorCommand } from '../../operator-command.js';
import { EXPORT_USER } from '../exports/export-commands.js';
import { SIMPLEFIN_TOKEN_COMMANDS } from './simplefin-token-commands.js';

export const USER_COMMANDS: readonly OperatorCommand[] = [EXPORT_USER, ...SIMPLEFIN_TOKEN_COMMANDS];
