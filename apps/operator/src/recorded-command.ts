import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import type { OperatorCommand } from './operator-command.js';
import { RecordedOption } from './recorded-option.js';

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
  const shown = new Map(
    command.options
      .filter((option) => option instanceof RecordedOption)
      .map((option) => [option.attributeName(), option.long]),
  );
  const options = Object.entries(command.opts<Record<string, unknown>>())
    .filter(([name]) => shown.has(name))
    .map(([name, value]) =>
      value === true ? shown.get(name) : `${shown.get(name)} ${textOf(value)}`,
    );
  const subject = [...command.args.slice(0, shownArguments), ...options].join(' ');
  return { actor: by ?? `${userInfo().username}@${hostname()}`, action, subject };
}

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
