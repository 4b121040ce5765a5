/** Structured logs to standard output (pino). Secrets never reach a log line: the usual fields are cut. */
import { pino } from 'pino';

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
    redact: { paths: ['*.password', '*.secret', '*.cookie', '*.authorization', 'password', 'secret'], censor: '[cut]' },
  });
}

/** For tests and scripts that must stay quiet. */
export const silentLog: Log = pino({ level: 'silent' });
