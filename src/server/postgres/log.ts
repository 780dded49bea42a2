/** The used part of pino's logger. */
export type Log = Record<'info' | 'warn' | 'error', (what: string) => void>;
