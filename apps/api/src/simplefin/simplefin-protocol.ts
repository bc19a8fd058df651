import { Paths } from '../http/paths.js';
import type { Protocol } from '../http/protocol.js';
import { declaredOn } from '../http/routes-of.js';
import { SIMPLEFIN_ERRORS } from './simplefin-errors.js';
import { SIMPLEFIN_ROUTE, type SimplefinRouteOptions } from './simplefin-route-options.js';
import { SimplefinController } from './simplefin.controller.js';

/** The calls that finance apps make of a SimpleFIN server. Source: native-api 3.11. */
export function simplefinProtocol(): Protocol {
  const paths = new Paths(declaredOn<SimplefinRouteOptions>(SimplefinController, SIMPLEFIN_ROUTE));
  return {
    name: 'simplefin',
    doorOf({ method, path }) {
      const route = paths.find(method, path);
      return route === null
        ? null
        : { route: route.path, checksCredential: route.credential !== 'none' };
    },
    pages: { '/simplefin/create': "'none'" },
    errors: SIMPLEFIN_ERRORS,
  };
}
