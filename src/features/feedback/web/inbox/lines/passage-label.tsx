import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { SungLinesState } from './use-sung-lines.ts';

export type SungPassagesProps = {
  passages: readonly SungPassage[];
  moving: SungLinesState['moving'];
  /** Duration of the recording, in seconds. */
  seconds: number;
  current: SungPassage | null;
  onPlay: (passage: SungPassage) => void;
  /** The passage whose start is being corrected. */
  selected: SungPassage | null;
  onSelect: (passage: SungPassage | null) => void;
};

export const getLineLabel = ({ melody }: SungPassage) => `line ${melody.index + 1}`;

/** Label of the button that plays a passage: its words, or “Maybe line 3” if the line is uncertain. */
export const PassageLabel = ({ passage }: { passage: SungPassage }) =>
  passage.isSure ? (
    <>
      <span lang="en" className="sr-only">
        Play {getLineLabel(passage)}:{' '}
      </span>
      {passage.melody.words}
    </>
  ) : (
    <span className="font-sans text-soft">
      <span className="sr-only">Play: </span>
      Maybe <span className="block">{getLineLabel(passage)}</span>
    </span>
  );
