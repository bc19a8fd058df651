import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { sendKept } from '../../http/kept-file.js';
import { stateOf } from '../../http/request-state.js';
import type { HostedFiles } from './hosted-files.js';
import { FRAME_ANCESTORS, pageHeaders } from './page-policy.js';

export interface HostedAppOptions {
  files: HostedFiles;
  baseUrl: string;
  connectBaseUrl: string;
}

const ASSETS = '/assets/';
const PLAID_SCRIPT = '/plaid/link-initialize.js';
/** Pages of other origins load the script from this fixed address. */
const PLAID_SCRIPT_HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const NOT_BUILT =
  'The Connect app has not been built. Run npm run build in the service folder, or serve dist/apps/connect at CONNECT_BASE_URL.\n';
/** Overrides the page's default base address for session calls, and the connection that it prepares for them. */
const API_META = /<meta name="connect-api" content="[^"]*"/;
const API_CONNECTION = /<link rel="preconnect" href="[^"]*"/;

/**
 * Serves the hosted app under the path of CONNECT_BASE_URL. Source: connect 2 and 12, native-api 1
 * (caching).
 */
export function hostedApp({ files, baseUrl, connectBaseUrl }: HostedAppOptions) {
  const sessionCalls = `${baseUrl}/connect/api`;
  const headersOfPage = new Map(
    Object.entries(FRAME_ANCESTORS).map(([path, ancestors]) => [
      path,
      new Map(Object.entries(pageHeaders({ connectBaseUrl, sessionCalls }, ancestors))),
    ]),
  );
  const apiMeta = sessionCalls === `${connectBaseUrl}/api` ? '' : sessionCalls;
  const apiConnection = apiMeta === '' ? './api' : sessionCalls;
  const editPage = (html: string) =>
    html
      .replace(API_META, () => `<meta name="connect-api" content="${escaped(apiMeta)}"`)
      .replace(API_CONNECTION, () => `<link rel="preconnect" href="${escaped(apiConnection)}"`);

  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const headers = headersOfPage.get(request.path);
    const isPage = headers !== undefined;
    const isAsset = request.path.startsWith(ASSETS);
    if (!isPage && !isAsset && request.path !== PLAID_SCRIPT) return next();
    stateOf(request).route = isAsset ? `connect${ASSETS}:name` : `connect${request.path}`;
    try {
      const file = isPage
        ? await files.page(editPage)
        : isAsset
          ? await files.asset(request.path.slice(ASSETS.length))
          : await files.plaidScript();
      if (file === null && !isAsset) return notBuilt(response);
      if (file === null) return next();
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        throw new ApiError('api_error.request.method_not_allowed');
      }
      // Superseded by frame-ancestors, but takes precedence in old browsers.
      response.removeHeader('X-Frame-Options');
      if (isPage) response.setHeaders(headers);
      else if (isAsset) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      else response.setHeaders(new Map(Object.entries(PLAID_SCRIPT_HEADERS)));
      await sendKept(request, response, file);
    } catch (error) {
      next(error);
    }
  };
}

function notBuilt(response: Response): void {
  response.status(404).type('text/plain').send(NOT_BUILT);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
