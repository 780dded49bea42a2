import type { DueMail } from './due.ts';

/** A way for mail to leave: a mail server, or the outbox folder. */
export type Delivery = {
  /**
   * Resolves once somebody else answers for the mail: a server has taken it, or it lies on the disk.
   * @param signal gives up at once
   * @returns the file in the outbox, or null where it is under way
   * @throws DeliveryFailure
   */
  deliver(mail: DueMail, signal: AbortSignal): Promise<{ outboxFile: string | null }>;
  /** Takes back what `deliver` laid down for a mail that is gone meanwhile. */
  takeBack(outboxFile: string): Promise<void>;
};

/** Why a mail did not leave. The message is a sentence for the teacher; what it was inside is the cause. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** Trying again would end alike. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false, cause }: { isFinal?: boolean; cause: unknown }) {
    super(reason, { cause });
    this.isFinal = isFinal;
  }
}
