import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatDisplayName } from '#web/api/session.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import type { Feedback } from '#features/feedback/contract.ts';
import { ALREADY_HAS_FEEDBACK_MESSAGE } from '#features/feedback/limits.ts';
import { formatWrittenReply } from '#features/feedback/web/draft/other-drafts.tsx';
import { isEmptyReply, type WrittenReply } from '#features/feedback/web/draft/written-reply.ts';
import { CorrectedNote, GivenFeedback, getTypedFeedback } from '#features/feedback/web/given-feedback.tsx';
import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';

type OrphanedReplyProps = {
  recording: Recording;
  written: WrittenReply;
  hasSound: boolean;
  /** Whether to take focus if it was lost together with the form that this component replaces. */
  takesFocus: boolean;
  onDiscard: () => void;
};

/**
 * Replaces the form if the recording was answered elsewhere or withdrawn while a reply was being written. Shows
 * the unsent reply and, if there is any, the feedback that was sent.
 */
export function OrphanedReply({ recording, written, hasSound, takesFocus, onDiscard }: OrphanedReplyProps) {
  const { student } = recording;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const answer = useQuery({
    ...createApiQuery('GET /api/admin/recordings/{id}/feedback', { params: { id: recording.id } }),
    // Refetches every time, because a cached response may be from before the recording was answered.
    staleTime: 0,
  });
  const isWithdrawn = answer.error?.status === 404;
  // The feedback may be this reply: it may have arrived although its response was lost.
  const isSame = answer.data !== undefined && isSameReply(written, hasSound, answer.data);
  const title = `${recording.title}, ${formatDisplayName(student)}`;
  return (
    // The teacher may still be typing, so keys must not run commands here.
    <div ref={box} tabIndex={-1} data-no-shortcuts className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4">
      {answer.isError && !isWithdrawn ? (
        <LoadFailure sentence="We couldn’t check what happened to this recording." of={answer} />
      ) : (
        (answer.data || isWithdrawn) && (
          <Notice
            tone="amber"
            title={isWithdrawn ? 'This recording is no longer here.' : ALREADY_HAS_FEEDBACK_MESSAGE}
          >
            {isWithdrawn ? (
              <WithdrawnBy name={formatDisplayName(student)} />
            ) : (
              'The feedback that was sent is below. '
            )}
            {isSame
              ? `It’s the same as what you wrote.${hasSound ? ' Your audio response wasn’t sent and stays here until you discard it.' : ''}`
              : 'Your feedback wasn’t sent. It stays here until you discard it.'}
          </Notice>
        )
      )}
      {answer.data && (
        <section aria-label="Feedback that was sent" className="grid gap-3 rounded-md border border-line p-4">
          <CorrectedNote correctedAt={answer.data.correctedAt} />
          <MarkedRecording
            {...{ recording, title }}
            marks={answer.data.marks}
            voices={answer.data.voices}
            hasSpeed
          />
          <GivenFeedback feedback={answer.data} title={title} />
        </section>
      )}
      {!isSame && <UnsentReply written={written} hasSound={hasSound} />}
      <div className="flex flex-wrap gap-3">
        <CopyButton text={formatWrittenReply(written)} />
        <Button onClick={onDiscard}>Discard</Button>
      </div>
    </div>
  );
}

const WithdrawnBy = ({ name }: { name: string }) => (
  <>
    <bdi>{name}</bdi> took it back.{' '}
  </>
);

/**
 * Returns whether the feedback that was sent equals the unsent reply. Voice comments are compared by id.
 * Spoken parts can't be compared, so two of them count as different.
 */
function isSameReply(written: WrittenReply, hasSound: boolean, { marks, ...given }: Feedback) {
  if (isEmptyReply(written) || (hasSound && given.audioFeedbackUrl)) return false;
  if (written.marks.some(({ voice }) => voice && !given.voices.some(({ id }) => id === voice))) return false;
  const words = getTypedFeedback({ marks, ...given })?.replaceAll(/\r\n?/g, '\n') ?? '';
  return formatWrittenReply(written) === formatWrittenReply({ text: words, marks });
}

const UnsentReply = ({ written, hasSound }: { written: WrittenReply; hasSound: boolean }) => (
  <section aria-label="Your unsent feedback" className="rounded-md bg-sunk px-4 py-3">
    <h3 className="font-sans text-sm font-semibold">Your unsent feedback</h3>
    <p dir="auto" className="mt-1 break-words whitespace-pre-line">
      {formatWrittenReply(written)}
    </p>
    {hasSound && <p className="mt-1 text-sm text-soft">Your audio response is below.</p>}
  </section>
);

function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  // Copying needs a secure context. Without one, users can still select the text above.
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (text === '' || !clipboard) return null;
  const copy = () =>
    clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => toast({ title: 'Copying didn’t work. Please select the text and copy it.' }),
    );
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy my text'}</span>
    </Button>
  );
}
