import type { ShownControl } from '../../../../../prisma/work/refresh/refresh-control.repository.js';
import type { ControlScope } from '../../../../../prisma/work/refresh/refresh-controls.js';
import type { Service } from '../../service.js';
import { Refusal } from '../refusal.js';

/** Pauses scheduled refreshes, `until` null = until they are resumed. @throws Refusal */
export async function pauseSchedule(
  { refreshControls }: Pick<Service, 'refreshControls'>,
  { scope, name, until }: { scope: ControlScope; name: string; until: Date | null },
): Promise<ShownControl> {
  return knownSchedule(await refreshControls.pause(scope, name, until), scope, name);
}

/** @throws Refusal */
export async function resumeSchedule(
  { refreshControls }: Pick<Service, 'refreshControls'>,
  { scope, name }: { scope: ControlScope; name: string },
): Promise<ShownControl> {
  return knownSchedule(await refreshControls.resume(scope, name), scope, name);
}

/** @throws Refusal */
export function knownSchedule(
  changed: ShownControl | null,
  scope: ControlScope,
  name: string,
): ShownControl {
  if (changed === null)
    throw new Refusal('unknown', `${scope}_not_found`, `There is no ${scope} ${name}.`);
  return changed;
}
