import type { CommandGroup } from '../../apps/operator/src/commands/command-groups.js';
import type { addCommand } from '../../clients/terminal/src/program.js';

export function commandsPage(
  groups: Readonly<Record<string, CommandGroup>>,
  add: typeof addCommand,
): Promise<string>;
