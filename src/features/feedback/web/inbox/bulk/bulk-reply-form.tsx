import { Send, X } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle } from 'react';
import { useForm } from '#web/forms/use-form.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { getTooLongMessage } from '#web/ui/text-limit.tsx';
import { NAME_PLACEHOLDER } from '#features/feedback/phrases/placeholder.ts';
import { PhraseTextArea } from '#features/feedback/phrases/web/phrase-text-area.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { MAX_WRITTEN_FEEDBACK_LENGTH } from '#features/feedback/limits.ts';
import { InboxRow } from '../inbox-row.tsx';
import type { BulkReply } from './use-bulk-reply.ts';

type BulkReplyFormProps = {
  bulkReply: BulkReply;
  /** Recordings to choose from, in the order of the list. */
  recordings: readonly Recording[];
  /** Returns whether the recording's own form contains an unsent reply. */
  isBegun: (recordingId: number) => boolean;
  /**
   * Returns whether the recording's reply is held. A held reply that was reported as unsent did arrive: only
   * the response was lost.
   */
  isHeld: (recordingId: number) => boolean;
  /** Maximum number of recipients: as many as further replies can be held for undo. */
  max: number;
  /** @param isSent whether all replies were sent */
  onLeave: (isSent: boolean) => void;
  ref?: Ref<{ send(): void }>;
};

/** Form for a bulk reply: its recipients and the text for all of them. */
export function BulkReplyForm({
  bulkReply,
  recordings,
  isBegun,
  isHeld,
  max,
  onLeave,
  ref,
}: BulkReplyFormProps) {
  const { chosen, unsent, text, isSending, progress } = bulkReply;
  // Recordings that were answered elsewhere or withdrawn, so they are no longer in the list. The form still
  // shows why their replies were not sent.
  const goneRecordings = [...unsent.values()]
    .map(({ recording }) => recording)
    .filter(({ id }) => !isHeld(id) && !recordings.some((each) => each.id === id));
  const recipients = recordings.filter(({ id }) => chosen.has(id) && !isBegun(id));
  const melodies = new Set(recipients.map(({ melodyId }) => melodyId));

  const send = async () => {
    if (!isSending && (await bulkReply.send(recipients)).failed.size === 0) onLeave(true);
  };
  const { props, problems, edit } = useForm({
    values: { to: recipients, text: text.trim() },
    check: (typed) => {
      if (typed.to.length === 0) return { to: 'Please choose at least one recording.' };
      if (typed.text === '') return { text: 'Please write your feedback.' };
      const tooLong = getTooLongMessage(typed.text, MAX_WRITTEN_FEEDBACK_LENGTH);
      return tooLong === null ? {} : { text: tooLong };
    },
    onValid: () => void send(),
  });
  const form = props.ref;
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked, input')?.focus(), [form]);
  useImperativeHandle(ref, () => ({ send: () => form.current?.requestSubmit() }));

  return (
    <form
      {...props}
      aria-label="Feedback for several recordings"
      className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 lg:grid-cols-[18rem_minmax(0,1fr)]"
    >
      <fieldset
        disabled={isSending}
        className="min-w-0 self-start lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto"
      >
        <legend className="mb-2 text-sm font-semibold">Recipients</legend>
        {problems.to && recipients.length === 0 && (
          <p role="alert" className="mb-2 text-sm font-semibold text-danger">
            {problems.to}
          </p>
        )}
        <ul className="grid gap-1">
          {goneRecordings.map((recording) => (
            <li key={recording.id} className="rounded-lg px-3.5 py-2">
              <InboxRow {...{ recording }} />
              <Reason>{unsent.get(recording.id)?.reason}</Reason>
            </li>
          ))}
          {recordings.map((recording) => {
            const { id } = recording;
            const isDisabled = isBegun(id) || (!chosen.has(id) && recipients.length >= max);
            return (
              <li key={id} className="rounded-lg px-3.5 has-checked:bg-action-ground">
                <Checkbox
                  checked={chosen.has(id) && !isBegun(id)}
                  disabled={isDisabled}
                  aria-invalid={problems.to && recipients.length === 0 ? true : undefined}
                  onChange={(event) => bulkReply.choose(id, event.target.checked)}
                  label={<InboxRow {...{ recording }} />}
                  hint={isBegun(id) ? 'You’ve already started feedback for this one' : undefined}
                />
                <Reason>{unsent.get(id)?.reason}</Reason>
              </li>
            );
          })}
        </ul>
      </fieldset>
      <Card as="section" aria-labelledby="several-heading" className="min-w-0 self-start">
        <h2 id="several-heading" className="text-2xl">
          Feedback for several recordings
        </h2>
        <p className="mt-1 text-sm text-soft">
          Each student gets separate feedback. {NAME_PLACEHOLDER} becomes the student’s first name.
          {recipients.length >= max && ` You can choose up to ${max} recordings at a time.`}
        </p>
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4 [&_*]:scroll-mb-28">
          <PhraseTextArea
            student={null}
            melodyId={melodies.size === 1 ? [...melodies][0]! : null}
            label="Written feedback"
            rows={6}
            limit={MAX_WRITTEN_FEEDBACK_LENGTH}
            value={text}
            readOnly={isSending}
            onText={(written) => {
              bulkReply.write(written);
              edit('text');
            }}
            error={problems.text}
          />
          {unsent.size > 0 && !isSending && (
            <Notice
              tone="danger"
              title={`Feedback on ${formatRecordingCount(unsent.size)} couldn’t be sent.`}
            >
              The reason is shown with each recording. Your text is saved, so you can send again.
            </Notice>
          )}
          <ScreenReaderAnnouncement text={isSending ? `${progress.done} of ${progress.of} sent` : ''} />
        </div>
        <div className="sticky bottom-0 z-10 -mx-5 mt-4 -mb-5 flex flex-wrap items-center justify-between gap-3 rounded-b-lg border-t border-line bg-surface px-5 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
          <Button variant="quiet" icon={<X />} disabled={isSending} onClick={() => onLeave(false)}>
            Cancel
          </Button>
          {isSending && (
            <p aria-hidden="true" className="text-sm text-soft tabular-nums">
              {progress.done} of {progress.of} sent
            </p>
          )}
          <Button type="submit" variant="primary" busy={isSending} icon={<Send />} className="max-sm:grow">
            {recipients.length === 0
              ? 'Send feedback'
              : `Send feedback on ${formatRecordingCount(isSending ? progress.of : recipients.length)}`}
          </Button>
        </div>
      </Card>
    </form>
  );
}

const formatRecordingCount = (count: number) => (count === 1 ? '1 recording' : `${count} recordings`);

const Reason = ({ children }: { children: string | undefined }) =>
  children ? <p className="pb-2 text-sm font-semibold text-danger">{children}</p> : null;
