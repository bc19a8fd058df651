import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRouter,
} from '@tanstack/react-router';
import { SCREENS, SIGN_IN } from '../screens.js';
import { FaultOfPage, pageOfScreen } from './page-of-screen.js';
import { parseSearch, stringifySearch } from './search.js';
import { SignedIn } from './signed-in.js';
import { LoadingRows } from './states/loading-rows.js';
import { NotFound } from './states/not-found.js';

const root = createRootRoute();

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(SIGN_IN.page),
});

const signInReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/return',
  component: lazyRouteComponent(SIGN_IN.returnPage),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  notFoundComponent: NotFound,
});

const pages = SCREENS.flatMap(({ pages: each }) => each).map((page) =>
  createRoute({
    getParentRoute: () => signedIn,
    path: page.path,
    component: pageOfScreen(page),
  }),
);

/** Anything else, inside the frame. */
const unknown = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: NotFound,
});

export const router: AnyRouter = createRouter({
  routeTree: root.addChildren([signIn, signInReturn, signedIn.addChildren([...pages, unknown])]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: FaultOfPage,
  defaultPendingComponent: LoadingRows,
  defaultPendingMs: 400,
});
