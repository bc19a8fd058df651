import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderAccount } from '../../../domain/accounts/present-account.js';
import { presentLink } from '../../../domain/link/present-link.js';
import {
  toAccountRecord,
  type AccountRow,
} from '../../../prisma/links/accounts/account.repository.js';
import {
  linkViewOf,
  type LinkViewRow,
  type LinkView,
} from '../../../prisma/links/link/link-view.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { openPool } from '../../support/services/postgres.mjs';

// The upper limit of the reads: node:http and pg with the service's own statements, and nothing
// else. No token, check, log, metric, limit or cursor.
const { DATABASE_URL, BASE_URL = '', TENANT_APP = '', TENANT_ENVIRONMENT = '' } = process.env;
const PRESENTATION = {
  baseUrl: BASE_URL,
  refreshInterval: 6 * 3_600_000,
  refreshIntervalSlow: 7 * 86_400_000,
  sandboxProviderName: 'sandbox',
};
const pool = openPool({ connectionString: DATABASE_URL, max: 10 });
const ask = async <Row extends object>(name: string, values: unknown[]) =>
  (await pool.query<Row>({ name, text: loadSql(name), values })).rows;

interface PageRow extends LinkViewRow {
  created: string;
  updated: string;
  removed: string;
  has_more: boolean;
  accounts: (Omit<AccountRow, 'balance_date'> & { balance_date: string })[] | null;
}

const linkText = (row: LinkViewRow) =>
  JSON.stringify(presentLink(linkViewOf(row, new Date()) as LinkView, PRESENTATION));
const accountsText = (rows: AccountRow[]) =>
  rows.map((row) => renderAccount(toAccountRecord(row))).join(',');

const ANSWERS: Record<string, (linkId: string) => Promise<string>> = {
  link: async (linkId) =>
    linkText(await one(ask<LinkViewRow>('find-link', [linkId, TENANT_APP, TENANT_ENVIRONMENT]))),
  accounts: async (linkId) => {
    const [link, accounts] = [
      await one(ask<LinkViewRow>('find-link', [linkId, TENANT_APP, TENANT_ENVIRONMENT])),
      await ask<AccountRow>('find-accounts', [
        TENANT_APP,
        TENANT_ENVIRONMENT,
        linkId,
        null,
        true,
        true,
      ]),
    ];
    return `{"accounts":[${accountsText(accounts)}],"link":${linkText(link)}}`;
  },
  identity: async (linkId) => {
    const [link, accounts] = [
      await one(ask<LinkViewRow>('find-link', [linkId, TENANT_APP, TENANT_ENVIRONMENT])),
      await ask<AccountRow>('find-accounts', [
        TENANT_APP,
        TENANT_ENVIRONMENT,
        linkId,
        null,
        true,
        true,
      ]),
    ];
    const owners = new Map(
      (
        await ask<{ account_id: string; owners: string }>('find-owners', [
          accounts.map(({ account_id: id }) => id),
        ])
      ).map((row) => [row.account_id, row.owners]),
    );
    const shown = accounts.map((row) =>
      renderAccount(toAccountRecord(row), [`"owners":[${owners.get(row.account_id) ?? ''}]`]),
    );
    return `{"accounts":[${shown.join(',')}],"link":${linkText(link)}}`;
  },
  sync: async (linkId) => {
    const row = await one(
      ask<PageRow>('sync-page', [linkId, TENANT_APP, TENANT_ENVIRONMENT, 0, 0, null, 500]),
    );
    const accounts = (row.accounts ?? []).map((account) => ({
      ...account,
      balance_date: new Date(account.balance_date),
    }));
    return `{"transactions":{"created":[${row.created}],"updated":[${row.updated}],"removed":[${row.removed}]},"cursor":{"next":"${'x'.repeat(60)}"},"has_more":${row.has_more},"accounts":[${accountsText(accounts)}],"link":${linkText(row)}}`;
  },
};

async function one<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows;
  if (row === undefined) throw new Error('no such link');
  return row;
}

const server = createServer((request, response) => {
  const [, what = '', linkId = ''] = (request.url ?? '').split('/');
  ANSWERS[what]?.(linkId).then(
    (text) => {
      const body = Buffer.from(text, 'utf8');
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
        })
        .end(body);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  ),
);
