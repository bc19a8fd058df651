import { createConnect } from '@tributary/connect-js';
import {
  acceptResult,
  ask,
  balance,
  describeExit,
  describeState,
  FINANCE_APP_NOTE,
  money,
  signed,
} from './back-end.js';

const status = document.querySelector('#status');
const say = (text) => {
  status.textContent = text;
};
const { connectBaseUrl, allowCommand } = await ask('GET', '/api/settings').catch((error) => {
  say(error.message);
  throw error;
});

const connect = createConnect({
  connectBaseUrl,
  applicationName: 'Pocket Ledger',
  onSuccess: (success) =>
    keep(success)
      .then(showLinks)
      .catch((error) => say(error.message)),
  onExit: (exit) => say(describeExit(exit, allowCommand)),
  onEvent: (event) => console.log('Connect:', event.name, event.properties),
  onError: (error) => console.warn('Connect:', error.error_id),
});

/** The back end checks that the result belongs to the signed-in user. */
async function keep(success) {
  await acceptResult(success);
  say(`${success.institution.name} is ${success.mode === 'link' ? 'linked' : 'repaired'}.`);
}

async function openConnect(linkId) {
  const { linkSessionToken } = await ask('POST', '/api/session', { page: 'plain', linkId });
  say('');
  connect.open({ linkSessionToken });
}

async function shareWithFinanceApp() {
  const { setupToken } = await ask('POST', '/api/finance-app', {});
  const shared = document.querySelector('#shared');
  shared.replaceChildren(
    element('p', {}, FINANCE_APP_NOTE),
    element('textarea', { readOnly: true, rows: 4, ariaLabel: 'Setup token', value: setupToken }),
    button('Copy', () => navigator.clipboard.writeText(setupToken).then(() => say('Copied.'))),
  );
  shared.hidden = false;
}

async function showLinks() {
  const banks = await ask('GET', '/api/links');
  document.querySelector('#links').replaceChildren(...banks.map(describeBank));
  document.querySelector('#none').hidden = banks.length > 0;
}

function describeBank({ link, accounts, transactions }) {
  return element(
    'article',
    {},
    element(
      'header',
      {},
      element('span', { className: 'mark', ariaHidden: 'true' }, link.institution_name[0]),
      element('h2', {}, link.institution_name),
      element('span', { className: `state ${link.state}` }, describeState(link)),
      link.state === 'error'
        ? button('Repair', () => openConnect(link.link_id))
        : button('Break', () =>
            ask('POST', `/api/links/${link.link_id}/reset`, {}).then(showLinks),
          ),
      button('Disconnect', () => ask('DELETE', `/api/links/${link.link_id}`).then(showLinks)),
    ),
    element(
      'ul',
      {},
      ...accounts.map((account) =>
        element(
          'li',
          {},
          element(
            'span',
            {},
            account.name,
            element('small', {}, ` •••• ${account.account_mask ?? ''}`),
          ),
          balance(account),
        ),
      ),
      ...transactions.map((row) =>
        element(
          'li',
          { className: 'transaction' },
          element(
            'span',
            {},
            element('small', {}, row.date.slice(0, 10)),
            ` ${row.description ?? ''}`,
          ),
          money(signed(row), row.currency),
        ),
      ),
    ),
  );
}

const button = (text, onclick) =>
  element('button', { onclick: () => onclick().catch((error) => say(error.message)) }, text);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

document.querySelector('#link').onclick = () => openConnect().catch((error) => say(error.message));
document.querySelector('#share').onclick = () =>
  shareWithFinanceApp().catch((error) => say(error.message));
if (location.pathname === '/bank-return') {
  say('One moment …');
  connect.continue({ url: location.href, onHandedOver: () => say('You can close this window.') });
}
await showLinks().catch((error) => say(error.message));
