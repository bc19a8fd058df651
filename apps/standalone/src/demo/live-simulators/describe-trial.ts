import { table } from '../../service/describe-service.js';
import type { SimulatorAddresses } from './start-simulators.js';
import { TRIAL } from './trial-logins.js';

/** Input for linking more banks by hand, and commands for this service. */
export function describeTrial({ simplefin }: SimulatorAddresses, dataDir: string): string {
  return [
    'It shows the three links of the trial user. Choose Link a bank for more:\n',
    table([
      ['SimpleFIN Bridge', `paste a setup token from ${simplefin}/simplefin/create`],
      ['Meridian Bank, Banque de la Rivière, …', 'choose Tilda Trial at the bank, and accept'],
      [
        'Harbour Federal Bank, Prairie Credit Union, …',
        `user name ${TRIAL.user}, password ${TRIAL.password}`,
      ],
    ]),
    `Operator commands:  DATA_DIR=${dataDir} npm run -s operator -- providers list\n`,
  ].join('\n');
}
