import { createConnect } from '@tributary/connect-js';
import {
  acceptResult,
  ask,
  balance,
  BEING_READ,
  describeExit,
  describeState,
  EXAMPLE_READY,
  EXAMPLE_STARTED,
  FINANCE_APP_NOTE,
  isBeingRead,
  money,
  READ_AGAIN,
  signed,
} from './back-end.js';
import { describeHolding, nextPayments, valueChart } from './portfolio.js';

const status = document.querySelector('#status');
const say = (text) => {
  status.textContent = text;
};
const { connectBaseUrl, allowCommand, hasExample } = await ask('GET', '/api/settings').catch(
  (error) => {
    say(error.message);
    throw error;
  },
);

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

async function showExample() {
  example.disabled = true;
  say(EXAMPLE_STARTED);
  try {
    await ask('POST', '/api/example', {});
    await showLinks();
    say(EXAMPLE_READY);
  } finally {
    example.disabled = false;
  }
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
  showAgain(banks.some(({ link }) => isBeingRead(link)));
}

let showing = { since: 0, timer: undefined };

function showAgain(isReading) {
  clearTimeout(showing.timer);
  const since = isReading ? showing.since || Date.now() : 0;
  const isOver = !isReading || Date.now() - since > READ_AGAIN.forMs;
  const again = () => showLinks().catch((error) => say(error.message));
  showing = { since, timer: isOver ? undefined : setTimeout(again, READ_AGAIN.everyMs) };
}

function describeBank(bank) {
  const { link, accounts, transactions, portfolios } = bank;
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
    ...accounts.flatMap((account) =>
      portfolios
        .filter(({ account_id: id }) => id === account.account_id)
        .map((portfolio) => describePortfolio(portfolio, account)),
    ),
    ...describePayments(nextPayments(bank)),
    ...(isBeingRead(link) ? [element('p', { className: 'reading' }, BEING_READ)] : []),
  );
}

function describePortfolio({ holdings, cash, balances }, account) {
  const chart = valueChart(balances);
  const rows = holdings.map((holding) => {
    const { name, quantity, value, gain } = describeHolding(holding);
    return line([name, ` ${quantity}`], value, ` ${gain}`);
  });
  return element(
    'section',
    {},
    element('h3', {}, account.name),
    ...(chart === null ? [] : [drawChart(chart)]),
    element(
      'ul',
      {},
      ...rows,
      ...(cash === null ? [] : [line(['Cash', ''], money(cash, account.balances.currency), '')]),
    ),
  );
}

function drawChart({ viewBox, line: points, label, points: values }) {
  const svg = graphic('svg', { viewBox, role: 'img', 'aria-label': label });
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.append(graphic('polyline', { points }));
  return element(
    'figure',
    {},
    svg,
    element(
      'details',
      {},
      element('summary', {}, 'Values by day'),
      element('ul', {}, ...values.map(({ date, text }) => line([date, ''], text, ''))),
    ),
  );
}

function describePayments(payments) {
  if (payments.length === 0) return [];
  const rows = payments.map(({ date, name, amount }) => line([name, ` ${date}`], amount, ''));
  return [element('section', {}, element('h3', {}, 'Next payments'), element('ul', {}, ...rows))];
}

const line = ([name, detail], amount, remark) =>
  element(
    'li',
    {},
    element('span', {}, name, element('small', {}, detail)),
    element('span', {}, amount, element('small', {}, remark)),
  );

function graphic(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

const button = (text, onclick) =>
  element('button', { onclick: () => onclick().catch((error) => say(error.message)) }, text);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

document.querySelector('#link').onclick = () => openConnect().catch((error) => say(error.message));
const example = document.querySelector('#example');
example.hidden = !hasExample;
example.onclick = () => showExample().catch((error) => say(error.message));
document.querySelector('#share').onclick = () =>
  shareWithFinanceApp().catch((error) => say(error.message));
if (location.pathname === '/bank-return') {
  say('One moment …');
  connect.continue({ url: location.href, onHandedOver: () => say('You can close this window.') });
}
await showLinks().catch((error) => say(error.message));
