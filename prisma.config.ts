import { defineConfig } from 'prisma/config';

/** Lets `prisma migrate deploy` and `prisma studio` find the schema, the migrations and the database. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
