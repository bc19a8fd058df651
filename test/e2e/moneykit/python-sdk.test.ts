import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  clientId,
  clientSecret,
  connectedLink,
  finishedSession,
  grantProducts,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { describeWithPython } from '../../support/receivers/python.js';
import { COFFEE, request } from '../links/support/import-requests.js';

const HERE = 'test/e2e/moneykit';
const APP = 'pocket-ledger';

describeWithPython(
  'An application that was written for MoneyKit, with its Python SDK',
  `${HERE}/requirements.txt`,
  (python) => {
    let service: ApiInProcess;
    beforeAll(async () => {
      service = await startApiInProcess({
        HEADER_PREFIX: 'moneykit',
        SANDBOX_PROVIDER_NAME: 'moneykit',
      });
    });
    afterAll(() => service?.close());

    it('makes every call but those that docs/moneykit.md names', async () => {
      const token = await service.token(APP);
      const { exchangeableToken } = await finishedSession(service, token, {
        webhook: 'https://app.example/hooks',
      });
      const { body } = await service.api
        .as(token)
        .post('/links/import', { json: request({ transactions: [COFFEE] }) });
      const { link_id: withRows } = body as { link_id: string };
      const granted = await connectedLink(service, token);
      await grantProducts(service, granted, ['account_numbers', 'identity']);
      const { stdout } = await promisify(execFile)(python, [
        ...[`${HERE}/journey.py`, service.api.baseUrl],
        ...[clientId(APP, 'sandbox'), clientSecret(APP, 'sandbox')],
        ...[exchangeableToken, withRows, granted],
      ]);
      expect(JSON.parse(stdout)).toEqual({
        create_access_token: 'bearer',
        instrospect_client: true,
        get_well_known_jwks: true,
        create_link_session: true,
        exchange_token: 'connected',
        get_link: ['connected', 'moneykit'],
        refresh_products: 'connected',
        trigger_test_link_webhook_event: true,
        import_link: ['error', 'auth_expired'],
        import_transactions: 'TypeError',
        update_link: 'https://app.example/hooks',
        get_links: 4,
        get_accounts: 1,
        get_account: 12.5,
        get_account_numbers: true,
        get_identities: true,
        get_transactions: 'ValidationError',
        get_transactions_without_preload_content: [4.5],
        get_transactions_sync_without_preload_content: 1,
        get_user_links: 'ValidationError',
        get_user_links_without_preload_content: 4,
        get_user_accounts_without_preload_content: 4,
        get_user_transactions_without_preload_content: 1,
        get_institutions: true,
        get_institution: 'sandbox-instant-bank',
        get_holdings: '404 api_error.request.not_found',
        reset_link: 'auth_expired',
        delete_link: true,
        'get_link, deleted': true,
      });
    });
  },
  { modules: 'moneykit' },
);
