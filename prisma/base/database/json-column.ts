import { Prisma } from '../../generated/client.js';

/** Casts Tributary's JSON-compatible types to the type that Prisma accepts. */
export function asJson(value: unknown): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

export function asNullableJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null || value === undefined ? Prisma.DbNull : asJson(value);
}
