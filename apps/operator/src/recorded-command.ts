import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import type { OperatorCommand } from './operator-command.js';

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
  'label',
  'environment',
  'scope',
  'all-scopes',
  'all-links',
  'never-ends',
  'tokens',
  'rate',
  'default-rate',
  'simplefin',
  'client',
  'after',
  'before',
];

/** The record of a command; null = none. */
export function recordedAction(
  {
    name: action,
    recorded,
    shownArguments,
  }: Pick<OperatorCommand, 'name' | 'recorded' | 'shownArguments'>,
  command: Command,
  by: string | undefined,
): Omit<OperatorAction, 'outcome'> | null {
  if (!recorded) return null;
  const options = Object.entries(command.opts<Record<string, unknown>>())
    .map(
      ([name, value]) =>
        [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value] as const,
    )
    .filter(([name]) => SHOWN_OPTIONS.includes(name))
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${textOf(value)}`));
  const subject = [...command.args.slice(0, shownArguments), ...options].join(' ');
  return { actor: by ?? `${userInfo().username}@${hostname()}`, action, subject };
}

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
