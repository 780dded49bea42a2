import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { Feedback } from '../contract.ts';
import { formatMarks } from '../marks.ts';

/**
 * Returns the written feedback; null if it was built from the marks, because those are shown with the
 * recording.
 */
export const getTypedFeedback = ({ writtenFeedback, marks }: Pick<Feedback, 'writtenFeedback' | 'marks'>) =>
  writtenFeedback === formatMarks(marks) ? null : writtenFeedback;

/** Heading of the spoken part: 'Audio feedback' in Past Feedback, 'Audio response' everywhere else. */
export type SpokenFeedbackLabel = 'Audio response' | 'Audio feedback';

type GivenFeedbackProps = {
  feedback: Feedback;
  title: string;
  heading?: 'h3' | 'h4';
  soundName?: SpokenFeedbackLabel;
};

/** Shows the written and spoken parts of feedback. */
export function GivenFeedback({
  feedback,
  title,
  heading: Heading = 'h3',
  soundName = 'Audio response',
}: GivenFeedbackProps) {
  const words = getTypedFeedback(feedback);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
      {words && (
        <div>
          <Heading className="mb-1 font-sans text-sm font-semibold">Written feedback</Heading>
          <p {...getLangProps(words)} className="measure break-words whitespace-pre-line">
            {words}
          </p>
        </div>
      )}
      {feedback.audioFeedbackUrl && (
        <div>
          <Heading className="mb-2 font-sans text-sm font-semibold">{soundName}</Heading>
          <AudioPlayer
            id={`reply-${feedback.id}`}
            sound={{ name: feedback.audioFeedbackUrl, copies: feedback.audioFeedbackCopies }}
            title={`${soundName}: ${title}`}
            duration={feedback.audioFeedbackDuration}
            peaks={feedback.peaks}
          />
        </div>
      )}
    </div>
  );
}

/** Shows 'Corrected 2 hours ago', if the feedback was corrected. */
export const CorrectedNote = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) =>
  correctedAt && (
    <span>
      Corrected <TimeAgo time={correctedAt} />
    </span>
  );
