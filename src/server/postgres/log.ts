/** Methods of pino's logger that are used here. */
export type Log = Record<'info' | 'warn' | 'error', (what: string) => void>;
