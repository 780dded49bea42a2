/** The part of pino's logger that is used here. */
export type Log = Record<'info' | 'warn' | 'error', (what: string) => void>;
