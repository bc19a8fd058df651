import {
  pauseSchedule,
  resumeSchedule,
} from '../../../../operator/src/operations/schedules/pause-schedule.js';
import { futureTime } from '../future-time.js';
import { operation } from '../operation.js';
import { refused } from '../refused.js';
import { subjectOf } from '../subject-of.js';
import { BankPause, BankResumption, type ChangedSchedule } from './institution-shapes.js';
import { presentSchedule } from './present-schedule.js';

export const PAUSE_BANK = operation({
  call: 'POST /instance/banks/:institution_id/pause',
  roles: ['operator'],
  level: 'change',
  input: BankPause,
  recorded: ({ institution_id: name, reason }) => ({
    action: 'institutions pause',
    subject: subjectOf([name], { reason }),
  }),
  run: async (
    { service, now },
    { institution_id: name, until: text },
  ): Promise<ChangedSchedule> => {
    const until = futureTime(text, now());
    const scope = 'institution';
    return presentSchedule(await pauseSchedule(service, { scope, name, until }).catch(refused));
  },
});

export const RESUME_BANK = operation({
  call: 'POST /instance/banks/:institution_id/resume',
  roles: ['operator'],
  level: 'change',
  input: BankResumption,
  recorded: ({ institution_id: name, reason }) => ({
    action: 'institutions resume',
    subject: subjectOf([name], { reason }),
  }),
  run: async ({ service }, { institution_id: name }): Promise<ChangedSchedule> =>
    presentSchedule(await resumeSchedule(service, { scope: 'institution', name }).catch(refused)),
});
