import { explainRoutes } from '../../../../operator/src/operations/routes/explain-routes.js';
import { reasonSentence } from '../../../../operator/src/route-reasons.js';
import { operation, OperationRefused } from '../operation.js';
import { refused } from '../refused.js';
import { BankInput, type BankDetail } from './institution-shapes.js';
import { showBanks } from './present-bank.js';

export const ONE_BANK = operation({
  call: 'GET /instance/banks/:institution_id',
  roles: ['operator'],
  level: 'read',
  input: BankInput,
  run: async (parts, { institution_id: institutionId }): Promise<BankDetail> => {
    const explained = await explainRoutes(parts.service, institutionId).catch(refused);
    const [bank] = await showBanks(parts, [institutionId]);
    if (bank === undefined)
      throw new OperationRefused(404, 'console.institution_not_found', 'Institution not found.');
    return {
      ...bank,
      explained: explained.map((route) => ({ ...route, why: reasonSentence(route) })),
    };
  },
});
