import { CallFailure } from '../http-calls.js';
import { PageVisitor, type Page } from './page-visitor.js';

/** The customer whom all vendors know, with the password that only FDX banks ask for. */
export const TRIAL = { user: 'trial', password: 'trial-pass' };

/** As a user does who follows the help of Connect. @returns a setup token, for one use */
export async function createSetupToken(createPage: string): Promise<string> {
  const visitor = new PageVisitor('app:');
  const { html } = await visitor.submit(await visitor.open(createPage), { customer: TRIAL.user });
  const [, token] = /<textarea[^>]*>([^<]+)</.exec(html ?? '') ?? [];
  if (token === undefined) throw new CallFailure('SimpleFIN showed no setup token');
  return token;
}

/**
 * Signs in at a bank and shares what it offers, as its pages ask.
 * @param app where the way through the bank ends
 * @returns the address of the app to which it leads
 */
export async function signInAtBank(authorizeUrl: string, app: string): Promise<string> {
  const visitor = new PageVisitor(app);
  let page: Page = await visitor.open(authorizeUrl);
  for (let pages = 0; page.html !== null; pages += 1) {
    const answer = ANSWERS.find(({ marks }) => page.html?.includes(marks));
    if (answer === undefined || pages === ANSWERS.length)
      throw new CallFailure(`the bank kept its user at ${new URL(page.address).pathname}`);
    page = await visitor.submit(page, answer.typed);
  }
  return page.address;
}

/** The pages of the banks, by what is on them. */
const ANSWERS: readonly { marks: string; typed: Record<string, string> }[] = [
  {
    marks: 'name="password"',
    typed: { user_name: TRIAL.user, password: TRIAL.password, decision: 'sign_in' },
  },
  { marks: 'value="allow"', typed: { decision: 'allow' } },
  { marks: 'value="accept"', typed: { customer: TRIAL.user, decision: 'accept' } },
];
