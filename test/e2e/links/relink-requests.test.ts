import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import {
  chooseOAuthBank,
  goThroughOAuthBank,
  OAUTH_BANK,
} from '../../support/actors/oauth-journey.js';
import { app, shareServiceForRelinks, relink } from './support/relinks.js';

shareServiceForRelinks();

describe('The relink session of a link', () => {
  it('is finished after its success, which a window that opens late still shows', async () => {
    const { linkId } = await linkInstantBank(app);
    const { visit, token } = await relink(linkId);
    expect(
      await visit.submit({ kind: 'select_institution', institution_id: OAUTH_BANK }),
    ).toMatchObject({ status: 410, body: { error_code: 'connect_error.session_closed' } });
    const late = await ConnectVisit.open(app.baseUrl, token);
    expect(late.view).toMatchObject({ seq: visit.view.seq, step: { kind: 'success' } });
    expect(await late.finish()).toMatchObject({ mode: 'relink' });
  });
});

describe('POST /link-session for an existing link', () => {
  it('is refused without a redirect_uri at OAuth Bank', async () => {
    const { visit } = await chooseOAuthBank(app);
    await goThroughOAuthBank(visit);
    const { link_id: linkId } = await expectStatus(
      201,
      app.exchange((await visit.finish()).exchangeable_token),
    );
    const response = await app.call('POST', '/link-session', {
      body: { customer_user: { id: 'u' }, existing_link_id: linkId },
    });
    expect(response).toMatchObject({
      status: 422,
      body: { validation_errors: [{ location: ['body', 'redirect_uri'] }] },
    });
  });
});
