import pino, { type Logger } from 'pino';

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** JSON lines on stderr, so that what `npm start` says to a person stands alone on stdout. Never a body, a cookie or a query. */
export function openLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.password', '*.cookie', '*.authorization', 'req.headers'], remove: true },
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
