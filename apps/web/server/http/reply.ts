/** Plain answers of the custom server, outside tRPC and Next. */
import type { ServerResponse } from 'node:http';
import type { FailureCode } from '@holdfast/core/domain';

export function replyJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent) return void res.end();
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  res.end(JSON.stringify(body));
}

/** A refusal in the same words everywhere: a code of the closed list and a sentence. */
export function replyRefusal(
  res: ServerResponse,
  status: number,
  code: FailureCode | 'INTERNAL',
  message: string,
): void {
  replyJson(res, status, { error: { code, message } });
}
