/**
 * Structured logs to standard output (pino). An error goes under `error`, as itself or as a short text. Secrets never
 * reach a log line: the usual fields are cut.
 */
import { pino, stdSerializers } from 'pino';

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    // An Error has no fields of its own that JSON would show; `err` is what libraries call it.
    serializers: { error: stdSerializers.err, err: stdSerializers.err },
    redact: { paths: ['*.password', '*.secret', '*.cookie', '*.authorization', 'password', 'secret'], censor: '[cut]' },
  });
}

/** For tests and scripts that must stay quiet. */
export const silentLog: Log = pino({ level: 'silent' });
