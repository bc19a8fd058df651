import { CallFailure } from '../http-calls.js';
import { PageVisitor, type Page } from './page-visitor.js';

/** The customer that all vendors have, with the password that only FDX banks require. */
export const TRIAL = { user: 'trial', password: 'trial-pass' };

/** Creates a token as the help of Connect describes. @returns a setup token, for one use */
export async function createSetupToken(createPage: string): Promise<string> {
  const visitor = new PageVisitor('app:');
  const { html } = await visitor.submit(await visitor.open(createPage), { customer: TRIAL.user });
  const [, token] = /<textarea[^<>]*>([^<]+)</.exec(html ?? '') ?? [];
  if (token === undefined) throw new CallFailure('SimpleFIN showed no setup token');
  return token;
}

/**
 * Signs in at a bank and shares the offered accounts through its pages.
 * @param app the address at which the visit ends
 * @returns the address of the app to which the bank redirects
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

/** The pages of the banks, by their content. */
const ANSWERS: readonly { marks: string; typed: Record<string, string> }[] = [
  {
    marks: 'name="password"',
    typed: { user_name: TRIAL.user, password: TRIAL.password, decision: 'sign_in' },
  },
  { marks: 'value="allow"', typed: { decision: 'allow' } },
  { marks: 'value="accept"', typed: { customer: TRIAL.user, decision: 'accept' } },
];
