import { setTimeout as pause } from 'node:timers/promises';
import type {
  CheckReport,
  ConfigurationRecord,
} from '../../../../../prisma/work/providers/provider-configuration.js';
import { findConfiguration } from './find-configuration.js';
import type { Service } from '../../service.js';
import { Refusal } from '../refusal.js';

const LOOK_AGAIN_MS = 200;

export type Checked = ConfigurationRecord & { report: CheckReport };

/** Lets a worker check the keys of a configuration, and waits for its report. @throws CommandFailure */
export async function checkConfiguration(
  service: Pick<Service, 'configurations' | 'configurationChecks'>,
  name: string,
  waitMs: number,
): Promise<Checked> {
  const { checkedAt: before } = await findConfiguration(service, name);
  await service.configurationChecks.request(name);
  for (const giveUpAt = Date.now() + waitMs; Date.now() < giveUpAt; await pause(LOOK_AGAIN_MS)) {
    const { report, checkedAt, ...found } = await findConfiguration(service, name);
    if (report !== null && checkedAt?.getTime() !== before?.getTime())
      return { ...found, checkedAt, report };
  }
  throw new Refusal(
    'unavailable',
    'no_worker',
    `No worker has checked ${name} yet. Is one running? \`providers show ${name}\` shows the result once one has.`,
  );
}

/** A check that did not succeed is a failed command. @throws Refusal */
export function requireSuccess({ name, broken, report }: Checked): void {
  if (report.ok) return;
  throw new Refusal(
    'conflict',
    'check_failed',
    broken
      ? `${name} is broken: it serves nothing until a check succeeds.`
      : `The check of ${name} did not succeed.`,
  );
}
