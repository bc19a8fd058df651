import { AppBackEnd } from '../../support/actors/link-journey.js';
import {
  callBack,
  chooseOAuthBank,
  decideAtBank,
  startRedirect,
} from '../../support/actors/oauth-journey.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;

beforeAll(async () => {
  // The session keeps its usual limit: only the redirect attempt can expire here.
  service = await Standalone.start({ env: { OAUTH_TTL: '3s' } });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
});

afterAll(() => service?.dispose());

describe('The time limits of an OAuth login (connect 13, check 9)', () => {
  it("end a redirect attempt to a bank's own pages", async () => {
    const { visit } = await chooseOAuthBank(app);
    const { authorize_url: authorizeUrl, expires_at: expiresAt } = await startRedirect(visit);
    const callbackAddress = await decideAtBank(authorizeUrl);
    const { seq } = visit.view;
    while (visit.view.seq === seq) await visit.poll(10);
    expect(visit.view.step).toMatchObject({
      kind: 'error',
      error_id: 'connect_error.timeout',
      fault: 'institution',
      link_error: 'institution_error',
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(`${expiresAt}Z`));
    expect((await callBack(callbackAddress)).status).toBe(400);
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      state: 'error',
      error_code: 'institution_error',
    });
  });
});
