import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { OperatorAction } from '../../../prisma/operator-actions/operator-action.repository.js';

/**
 * Whether a command changes something, or takes secrets out of the service, and is therefore
 * recorded. Every command is listed.
 */
export const IS_RECORDED: Readonly<Record<string, boolean>> = {
  'app create': true,
  'app update': true,
  'app list': false,
  'app show': false,
  'app limit': true,
  'app providers': true,
  'client disable': true,
  'client enable': true,
  'client limit': true,
  'client unoffered': true,
  'client rotate': true,
  'keys list': false,
  'keys rotate': true,
  'keys master list': false,
  'keys master rewrap': true,
  'links show': false,
  'links unrevoked': false,
  'links explain': false,
  'links move': true,
  'routes explain': false,
  'routes prefer': true,
  'delivery retry': true,
  'delivery cancel': true,
  'institution list': false,
  'institution pause': true,
  'institution resume': true,
  'institution interval': true,
  'institutions sync': true,
  'institutions status': false,
  'institutions find': false,
  'institutions doubts': false,
  'institutions join': true,
  'institutions split': true,
  'institutions hide': true,
  'institutions unhide': true,
  'provider pause': true,
  'provider resume': true,
  'provider interval': true,
  'providers adapters': false,
  'providers list': false,
  'providers show': false,
  'providers add': true,
  'providers set': true,
  'providers rotate': true,
  'providers enable': true,
  'providers disable': true,
  'providers remove': true,
  'providers webhook': true,
  'providers check': true,
  'quotas show': false,
  'temporal setup': true,
  'temporal versions list': false,
  'temporal versions set-current': true,
  'temporal versions ramp': true,
  recover: true,
  'history save': true,
};

/** Options whose values are recorded: names and switches, never settings or secrets. */
const SHOWN_OPTIONS = [
  'name',
  'to',
  'off',
  'all',
  'revoke',
  'check',
  'deleted',
  'nothing-lost',
  'restored',
];

/** The words of a command without the name of the program, for example `client disable`. */
export function commandName(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at?.parent != null; at = at.parent)
    words.unshift(at.name());
  return words.join(' ');
}

/** What is recorded of a command. A command that is not listed counts as one that changes something. */
export function recordedAction(
  command: Command,
  by: string | undefined,
): Omit<OperatorAction, 'outcome'> | null {
  const action = commandName(command);
  if (IS_RECORDED[action] === false) return null;
  const options = Object.entries(command.opts<Record<string, unknown>>())
    .map(
      ([name, value]) =>
        [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value] as const,
    )
    .filter(([name]) => SHOWN_OPTIONS.includes(name))
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${String(value)}`));
  const subject = [...command.args, ...options].join(' ');
  return { actor: by ?? `${userInfo().username}@${hostname()}`, action, subject };
}
