import type { Type } from '@nestjs/common';
import { PLAID_ROUTE, type PlaidRouteOptions } from '../plaid/transport/plaid-route-options.js';
import {
  SIMPLEFIN_ROUTE,
  type SimplefinRouteOptions,
} from '../simplefin/simplefin-route-options.js';
import { ROUTE, type RouteOptions } from '../http/route.js';
import { declaredOn } from '../http/routes-of.js';
import { describeBound, type ReadBound } from '../http/read-bound.js';

export interface DeclaredCall {
  call: string;
  /** Null = the call changes something. */
  reads: ReadBound | null;
  /** Of the parameters that bound a page. */
  input: {
    safeParse(value: unknown): { error?: { issues: readonly { path: PropertyKey[] }[] } };
  } | null;
}

/** Every call of these controllers, of all APIs, in order. */
export function callsOf(controllers: readonly Type[]): DeclaredCall[] {
  return controllers.flatMap((controller) => [
    ...declaredOn<RouteOptions>(controller, ROUTE).map(({ method, path, reads, input }) => ({
      call: `${method} ${path}`,
      reads: reads ?? null,
      input: input?.query ?? null,
    })),
    ...declaredOn<PlaidRouteOptions>(controller, PLAID_ROUTE).map(({ path, reads, request }) => ({
      call: `POST ${path}`,
      reads,
      input: request,
    })),
    ...declaredOn<SimplefinRouteOptions>(controller, SIMPLEFIN_ROUTE).map(
      ({ method, path, reads }) => ({ call: `${method} ${path}`, reads, input: null }),
    ),
  ]);
}

/** The table of docs/operating/limits.md. */
export function tableOfReads(controllers: readonly Type[]): string {
  const rows = callsOf(controllers).flatMap(({ call, reads }) => {
    if (reads === null) return [];
    const { rows: shown, bytes, time } = describeBound(reads);
    return [`| \`${call}\` | ${shown} | ${bytes} | ${time} |\n`];
  });
  return `| Call | Rows | Bytes | Time |\n|---|---|---|---|\n${rows.join('')}`;
}
