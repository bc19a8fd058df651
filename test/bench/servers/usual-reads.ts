import 'reflect-metadata';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openDatabase } from '../../../prisma/base/database/database.js';

// For comparison: a typical service built with the defaults of Nest and Prisma's objects, returning
// the rows of a page and nothing else. No token, no log.
const database = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  name: 'usual',
  onError: () => undefined,
});

@Controller()
class ReadsController {
  @Get('sync/:id')
  async sync(@Param('id') linkId: string) {
    const link = await database.prisma.link.findUniqueOrThrow({
      where: { linkId },
      include: { products: true, accounts: true },
    });
    const rows = await database.prisma.transactionVersion.findMany({
      where: { linkPk: link.pk, seq: { gt: 0n, lte: link.headSeq }, nextSeq: null, removed: false },
      orderBy: { seq: 'asc' },
      take: 501,
    });
    const { accounts, products, ...shown } = link;
    return {
      transactions: {
        created: rows
          .slice(0, 500)
          .map(
            ({
              transactionId,
              accountId,
              amount,
              currency,
              type,
              date,
              pending,
              category,
              body,
            }) => {
              const { transaction_id: _id, ...rest } = JSON.parse(body) as Record<string, unknown>;
              return {
                ...rest,
                transaction_id: transactionId,
                account_id: accountId,
                amount: amount.toNumber(),
                currency,
                type,
                date,
                pending,
                category,
              };
            },
          ),
        updated: [],
        removed: [],
      },
      has_more: rows.length > 500,
      accounts,
      link: { ...shown, products },
    };
  }
}

// The usual way to serialize Prisma's bigint columns to JSON.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint) {
    return this.toString();
  },
});

@Module({ controllers: [ReadsController] })
class ReadsModule {}

const app = await NestFactory.create<NestExpressApplication>(ReadsModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(
  `${JSON.stringify({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') })}\n`,
);
