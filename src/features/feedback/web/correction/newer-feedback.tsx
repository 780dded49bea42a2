import { displayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Feedback } from '#features/feedback/contract.ts';
import { wholeText } from '../draft/draft-besides.tsx';
import { CorrectedNote, GivenAnswer, ownWords } from '../given-answer.tsx';

type NewerFeedbackProps = { feedback: Feedback; onKeepMine: () => void; onTakeNewer: () => void };

/** Shows the current feedback when it was corrected elsewhere while being corrected here. */
export const NewerFeedback = ({ feedback, onKeepMine, onTakeNewer }: NewerFeedbackProps) => (
  <section
    aria-label="The newer feedback"
    className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md border border-line p-4"
  >
    <Notice tone="amber" title="This feedback has been corrected meanwhile.">
      The student has what is shown here. What you changed is below, and was not saved.
    </Notice>
    <p className="text-sm text-soft">
      <CorrectedNote correctedAt={feedback.correctedAt} />
    </p>
    <p dir="auto" className="measure break-words whitespace-pre-line">
      {wholeText({ text: ownWords(feedback) ?? '', marks: feedback.marks })}
    </p>
    <GivenAnswer
      feedback={{ ...feedback, writtenFeedback: null }}
      title={`${feedback.recording.title}, ${displayName(feedback.recording.student)}`}
      soundName="Audio feedback"
    />
    <div className="flex flex-wrap gap-3">
      <Button onClick={onKeepMine}>Keep mine</Button>
      <Button onClick={onTakeNewer}>Take the newer one</Button>
    </div>
  </section>
);
