import { Prisma } from '../generated/client.js';

/** Our own types are JSON already; Prisma wants to be told. */
export function asJson(value: unknown): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

export function asNullableJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null || value === undefined ? Prisma.DbNull : asJson(value);
}
