import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { holdsTag } from '../../http/entity-tag.js';
import { stateOf } from '../../http/request-state.js';
import { hostedFile, type Encoding, type HostedFile, type HostedFiles } from './hosted-files.js';
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
/** Overrides the page's default base address for session calls. */
const API_META = /<meta name="connect-api" content="[^"]*"/;

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

  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const headers = headersOfPage.get(request.path);
    const isPage = headers !== undefined;
    const isAsset = request.path.startsWith(ASSETS);
    if (!isPage && !isAsset && request.path !== PLAID_SCRIPT) return next();
    stateOf(request).route = isAsset ? `connect${ASSETS}:name` : `connect${request.path}`;
    try {
      const file = isPage
        ? await page()
        : isAsset
          ? await files.asset(decoded(request.path.slice(ASSETS.length)))
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
      await send(request, response, file);
    } catch (error) {
      next(error);
    }
  };

  async function page(): Promise<HostedFile | null> {
    const html = await files.page();
    return html === null
      ? null
      : hostedFile(
          Buffer.from(
            html.replace(API_META, () => `<meta name="connect-api" content="${escaped(apiMeta)}"`),
            'utf8',
          ),
          'text/html; charset=utf-8',
        );
  }
}

async function send(request: Request, response: Response, file: HostedFile): Promise<void> {
  const encoding =
    file.content.length < 1_000 ? null : acceptedEncoding(request.headers['accept-encoding']);
  response.vary('Accept-Encoding');
  response.setHeader(
    'ETag',
    encoding === null ? file.tag : file.tag.replace(/"$/, `-${encoding}"`),
  );
  if (holdsTag(request.headers['if-none-match'], String(response.getHeader('ETag')))) {
    response.status(304).end();
    return;
  }
  const body = encoding === null ? file.content : await file.compressed(encoding);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Length', body.length);
  if (encoding !== null) response.setHeader('Content-Encoding', encoding);
  response.status(200).end(request.method === 'HEAD' ? undefined : body);
}

/** The client's preferred encoding; a weight of 0 rules one out. */
function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = new Set(
    (header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding)) ?? null;
}

function notBuilt(response: Response): void {
  response.status(404).type('text/plain').send(NOT_BUILT);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
