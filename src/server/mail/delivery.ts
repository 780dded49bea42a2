import type { DueMail } from './queue.ts';

/** A transport for mail: a mail server, or the outbox folder. */
export type MailTransport = {
  /**
   * Resolves once the mail has been handed over: a server has accepted it, or it is on the disk.
   * @param signal aborts at once
   * @returns the file in the outbox, or null if it was sent
   * @throws DeliveryError
   */
  deliver(mail: DueMail, signal: AbortSignal): Promise<{ outboxFile: string | null }>;
  /** Removes the file that `deliver` wrote for a mail that was deleted in the meantime. */
  retract(outboxFile: string): Promise<void>;
};

/**
 * Error for a mail that was not delivered. The message is a sentence for the teacher; the original error is the
 * cause.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError';
  /** True if a retry would fail the same way. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false, cause }: { isFinal?: boolean; cause: unknown }) {
    super(reason, { cause });
    this.isFinal = isFinal;
  }
}
