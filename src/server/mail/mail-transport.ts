import type { LeasedMail } from './queue.ts';

/** Transport for emails: a mail server, or the outbox folder. */
export type MailTransport = {
  /**
   * Delivers an email. Resolves when the mail server has accepted the email, or when its file is on the disk.
   * @param signal aborts the delivery to a mail server immediately
   * @returns name of the file in the outbox; null if the email was sent
   * @throws MailDeliveryError
   */
  deliver(mail: LeasedMail, signal: AbortSignal): Promise<{ outboxFile: string | null }>;
  /** Removes the file that `deliver` wrote for an email that has been deleted since. */
  retract(outboxFile: string): Promise<void>;
};

/**
 * Error for an email that was not delivered. The message is a sentence for the teacher; the cause is the
 * error for the log, or null.
 */
export class MailDeliveryError extends Error {
  override name = 'MailDeliveryError';
  /** True if a retry would fail the same way. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false, cause }: { isFinal?: boolean; cause: unknown }) {
    super(reason, { cause });
    this.isFinal = isFinal;
  }
}
