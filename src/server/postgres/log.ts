/** Methods of pino's logger that are used here. */
export type PostgresLog = Record<'info' | 'warn' | 'error', (what: string) => void>;
