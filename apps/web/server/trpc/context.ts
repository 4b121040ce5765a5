/** What a procedure sees of its request. Made per request, by the HTTP mount and by page rendering alike. */
import type { BuyerId } from '@holdfast/core/domain';
import { type Operator, readOperator } from '../auth/create-auth.ts';
import { mintBuyer, readBuyer } from '../buyer/buyer-cookie.ts';
import type { RequestIds } from '../http/request-id.ts';
import type { WebDeps } from '../open-stores.ts';

export interface Context {
  readonly deps: WebDeps;
  readonly ids: RequestIds;
  /** The guest whom the cookie names. */
  readonly buyerId: BuyerId | undefined;
  /** The same, or a new guest whose cookie goes out with this answer. */
  needBuyer(): BuyerId;
  /** The signed-in operator; asked for once a request. */
  operator(): Promise<Operator | undefined>;
}

export interface RequestView {
  /** The Cookie header. */
  readonly cookie: string | undefined;
  /** All headers, made only when somebody asks who is signed in. */
  headers(): Headers;
  readonly ids: RequestIds;
  setCookie(value: string): void;
}

export function createContext(deps: WebDeps, request: RequestView): Context {
  const secret = deps.config.secrets.BUYER_COOKIE_SECRET;
  const known = readBuyer(request.cookie, secret);
  let minted: BuyerId | undefined;
  let asked: Promise<Operator | undefined> | undefined;
  return {
    deps,
    ids: request.ids,
    buyerId: known,
    needBuyer() {
      const already = known ?? minted;
      if (already) return already;
      const guest = mintBuyer(secret, deps.https);
      request.setCookie(guest.setCookie);
      minted = guest.id;
      return guest.id;
    },
    operator() {
      asked ??= readOperator(deps.auth, request.headers());
      return asked;
    },
  };
}
