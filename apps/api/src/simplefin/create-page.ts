import { PAGE_STYLE, pageHead, pagePolicy } from '../http/html-page.js';

/** The page has one inline style sheet and no script. */
export const CREATE_PAGE_POLICY = pagePolicy(PAGE_STYLE);

/**
 * The page to which finance apps send a user for a setup token. This service knows no users who could
 * sign in here: the app through which they linked their accounts creates the token.
 */
export const createPage = (): string =>
  [
    pageHead('Create a setup token', PAGE_STYLE),
    '<main><h1>Create a setup token</h1>',
    '<p>A setup token lets a finance app, such as Actual Budget, Firefly III or Sure, read your accounts. It cannot move money.</p>',
    '<ol>',
    '<li>Open the app in which you connected your bank accounts, and sign in.</li>',
    '<li>Choose <strong>Use with a finance app</strong>. It shows a setup token once.</li>',
    '<li>Copy the whole token, and paste it into the finance app within 24 hours. It works once.</li>',
    '</ol>',
    '<p>If the finance app refuses the token, someone else may have used it: remove it in the app that created it, and create another one. Remove it there too when you no longer use the finance app.</p>',
    '</main></body></html>',
  ].join('\n');
