import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';
import type { OperatorCommand } from './operator-command.js';
import { RecordedOption } from './recorded-option.js';
import type { Service } from './service.js';

/** Writes the log line of a recorded command; missing = none is written. */
export type LogAction = (fields: OperatorAction, message: string) => Promise<void> | void;

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

/** Records a command before it changes anything, and its outcome. A command that cannot be recorded does not run. */
export async function recordWork(
  { actions }: Pick<Service, 'actions'>,
  action: Omit<OperatorAction, 'outcome'>,
  { shell, work }: { shell: { log?: LogAction }; work: () => Promise<void> },
): Promise<void> {
  const record = async (outcome: OperatorAction['outcome']): Promise<void> => {
    await actions.record({ ...action, outcome });
    // Log: on standard error, unless that is a terminal.
    await shell.log?.({ ...action, outcome }, 'audit.command');
  };
  await record('started');
  try {
    await work();
  } catch (error) {
    await record('failed');
    throw error;
  }
  await record('succeeded');
}
