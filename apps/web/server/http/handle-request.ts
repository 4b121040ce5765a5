/** Routes one request: tRPC, webhook, sign-in, demo provider, else a page by Next. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { toNodeHandler } from 'better-auth/node';
import { AUTH_PATHS } from '../auth/create-auth.ts';
import { mintBuyer, readBuyer } from '../buyer/buyer-cookie.ts';
import type { WebDeps } from '../open-stores.ts';
import { answerDemoProvider, DEMO_PROVIDER_PATH } from './answer-demo-provider.ts';
import { answerPlaceOrder, isPlainPlaceOrder } from './answer-place-order.ts';
import { answerWebhook, WEBHOOK_PATH } from './answer-webhook.ts';
import { answerTrpc, TRPC_PATH } from './mount-trpc.ts';
import { declaredTooLarge, MAX_BODY_BYTES } from './read-body.ts';
import { replyRefusal } from './reply.ts';
import { idsOf, nameRequest } from './request-id.ts';
import { changesNothing, isSameOrigin } from './same-origin.ts';
import { setSecurityHeaders } from './security-headers.ts';

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;
const AUTH_PATH = '/api/auth/';

export function createRequestHandler(deps: WebDeps, renderPage: NodeHandler): RequestListener {
  const signIn = toNodeHandler(deps.auth);
  return (req, res) => {
    nameRequest(req, res);
    setSecurityHeaders(req, res, deps);
    route(deps, req, res, renderPage, signIn).catch((error: unknown) => {
      deps.log.error({ err: error, url: req.url, ...idsOf(req) }, 'a request failed');
      replyRefusal(res, 500, 'INTERNAL', 'Something went wrong on our side.');
    });
  };
}

async function route(
  deps: WebDeps,
  req: IncomingMessage,
  res: ServerResponse,
  renderPage: NodeHandler,
  signIn: NodeHandler,
): Promise<void> {
  const pathname = pathOf(req);
  if (pathname === undefined) return replyRefusal(res, 400, 'INVALID_INPUT', 'The address cannot be read.');
  if (pathname === WEBHOOK_PATH) return answerWebhook(deps, req, res);
  if (!changesNothing(req.method) && !isSameOrigin(req, deps.publicOrigin))
    return replyRefusal(res, 403, 'FORBIDDEN', `Changes are accepted from ${deps.publicOrigin} only.`);
  if (declaredTooLarge(req, MAX_BODY_BYTES))
    return replyRefusal(res, 413, 'INVALID_INPUT', 'The request is larger than 64 KB.');
  if (isPlainPlaceOrder(req)) return answerPlaceOrder(deps, req, res);
  if (pathname.startsWith(TRPC_PATH)) return answerTrpc(deps, req, res, pathname);
  if (pathname.startsWith(AUTH_PATH)) return answerAuth(req, res, pathname, signIn);
  if (pathname.startsWith(DEMO_PROVIDER_PATH)) return answerDemoProvider(deps, req, res, pathname);
  if (!changesNothing(req.method))
    return replyRefusal(res, 405, 'INVALID_INPUT', 'Nothing can be changed at this address.');
  welcomeGuest(deps, req, res);
  return renderPage(req, res);
}

/** The library reads a body to its end, so only one whose length is announced, and judged above, gets that far. */
async function answerAuth(
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
  signIn: NodeHandler,
): Promise<void> {
  if (!AUTH_PATHS.has(pathname)) return replyRefusal(res, 404, 'NOT_FOUND', 'There is nothing here.');
  if (req.headers['transfer-encoding'] === undefined) return signIn(req, res);
  // What is still to come is not read.
  res.setHeader('connection', 'close');
  return replyRefusal(res, 411, 'INVALID_INPUT', 'Please announce the length of the body.');
}

function pathOf(req: IncomingMessage): string | undefined {
  // Parsing a URL costs as much as a gate command; addresses of our own calls need none.
  if (req.url !== undefined && /^\/api\/[A-Za-z0-9./-]+$/.test(req.url)) return req.url;
  return URL.canParse(req.url ?? '', 'http://localhost')
    ? new URL(req.url ?? '', 'http://localhost').pathname
    : undefined;
}

/** A first page brings the guest's cookie, so that two first clicks at once are one buyer. */
function welcomeGuest(deps: WebDeps, req: IncomingMessage, res: ServerResponse): void {
  if (!req.headers.accept?.includes('text/html')) return;
  const secret = deps.config.secrets.BUYER_COOKIE_SECRET;
  if (!readBuyer(req.headers.cookie, secret)) res.appendHeader('set-cookie', mintBuyer(secret, deps.https).setCookie);
}
