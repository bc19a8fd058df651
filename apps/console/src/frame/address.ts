import { useParams, useRouter, useRouterState } from '@tanstack/react-router';
import type { Context, Environment } from './screen.js';
import { oneOf, parseSearch, type Search, stringifySearch } from './search.js';

export interface Address {
  path: string;
  search: Search;
  /** One value of a name, or an empty text. */
  value: (name: string) => string;
  /** Replaces names of the query; undefined removes one. Filters replace the entry of the history, rows push one. */
  change: (names: Record<string, string | string[] | undefined>) => void;
  /** The present address with other names in its query. */
  hrefWith: (names: Record<string, string | string[] | undefined>) => string;
}

export function useAddress(): Address {
  const router = useRouter();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const text = useRouterState({ select: ({ location }) => location.searchStr });
  const search = parseSearch(text);
  const hrefWith: Address['hrefWith'] = (names) =>
    `${path}${stringifySearch({ ...search, ...names })}`;
  return {
    path,
    search,
    value: (name) => oneOf(search, name),
    hrefWith,
    change: (names) => router.history.replace(hrefWith(names)),
  };
}

/** The names in the path of the page, such as `link_id`. */
export function usePathValue(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}

/** Goes to an address of the console. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const { history } = useRouter();
  return (href, { replace = false } = {}) => (replace ? history.replace(href) : history.push(href));
}

/** The app and the environment in the path of the page. @throws on pages whose path has none */
export function useContextOfPath(): Context {
  const app = usePathValue('app');
  const env = usePathValue('env') as Environment;
  return { app, env };
}

const segment = encodeURIComponent;

/** The address of a page of an app and an environment, such as `/links/mk_1`. */
export const placeIn = ({ app, env }: Context, path = ''): string =>
  `/a/${segment(app)}/${env}${path}`;

/** The address below /api of an operation of an app in an environment. */
export const operationIn = ({ app, env }: Context, path: string): string =>
  `/apps/${segment(app)}/${env}${path}`;

/** The address below /api of the native API, called for an app. */
export const nativeIn = ({ app, env }: Context, path: string): string =>
  `/as/${segment(app)}/${env}${path}`;
