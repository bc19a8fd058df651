import {
  checkConfiguration,
  requireSuccess,
} from '../../../../operator/src/operations/providers/check-configuration.js';
import {
  pauseSchedule,
  resumeSchedule,
} from '../../../../operator/src/operations/schedules/pause-schedule.js';
import { futureTime } from '../future-time.js';
import type { ChangedSchedule } from '../institutions/institution-shapes.js';
import { presentSchedule } from '../institutions/present-schedule.js';
import { operation } from '../operation.js';
import { refused } from '../refused.js';
import { subjectOf } from '../subject-of.js';
import {
  ProviderCheck,
  ProviderPause,
  ProviderResumption,
  type CheckedProvider,
} from './provider-shapes.js';

export const PAUSE_PROVIDER = operation({
  call: 'POST /instance/providers/:name/pause',
  roles: ['operator'],
  level: 'change',
  input: ProviderPause,
  recorded: ({ name, reason }) => ({
    action: 'providers pause',
    subject: subjectOf([name], { reason }),
  }),
  run: async ({ service, now }, { name, until: text }): Promise<ChangedSchedule> => {
    const until = futureTime(text, now());
    const scope = 'provider';
    return presentSchedule(await pauseSchedule(service, { scope, name, until }).catch(refused));
  },
});

export const RESUME_PROVIDER = operation({
  call: 'POST /instance/providers/:name/resume',
  roles: ['operator'],
  level: 'change',
  input: ProviderResumption,
  recorded: ({ name, reason }) => ({
    action: 'providers resume',
    subject: subjectOf([name], { reason }),
  }),
  run: async ({ service }, { name }): Promise<ChangedSchedule> =>
    presentSchedule(await resumeSchedule(service, { scope: 'provider', name }).catch(refused)),
});

/** A proxy before the console may end a call that takes longer. */
const WAIT_MS = 25_000;

/** The wait for a worker is an argument, since no test waits for seconds. */
export const checkProvider = (waitMs: number) =>
  operation({
    call: 'POST /instance/providers/:name/check',
    roles: ['operator'],
    level: 'change',
    input: ProviderCheck,
    recorded: ({ name }) => ({ action: 'providers check', subject: subjectOf([name]) }),
    run: async ({ service }, { name }): Promise<CheckedProvider> => {
      const checked = await checkConfiguration(service, name, waitMs)
        .then((each) => {
          requireSuccess(each);
          return each;
        })
        .catch(refused);
      return {
        name,
        ok: true,
        broken: checked.broken,
        credentials_end_at: checked.credentialsEndAt?.toISOString() ?? null,
        lines: [...checked.report.lines],
      };
    },
  });

export const CHECK_PROVIDER = checkProvider(WAIT_MS);
