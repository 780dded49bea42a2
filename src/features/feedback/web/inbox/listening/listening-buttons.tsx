import type { ReactNode } from 'react';
import { Mic, Music, RotateCcw, RotateCw } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { KeyHint } from '../keys/key-hint.tsx';
import type { Listening } from './use-listening.ts';

type ListeningButtonsProps = {
  listening: Listening;
  hasMelody: boolean;
  /** The keyboard shortcuts are shown. */
  hasKeys: boolean;
  /** Beside the melody's button. */
  children: ReactNode;
};

/** Beside the play button; in the inbox each is a key, too. */
export const ListeningButtons = ({ listening, hasMelody, hasKeys, children }: ListeningButtonsProps) => (
  <>
    <span className="flex">
      <IconButton
        label="Back 3 seconds"
        icon={<RotateCcw aria-hidden="true" />}
        onClick={() => listening.skip(-1)}
      />
      <IconButton
        label="Forward 3 seconds"
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => listening.skip(1)}
      />
    </span>
    <span className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&_button]:px-3">
      {hasMelody && (
        <Button
          icon={listening.isStudentNext ? <Mic aria-hidden="true" /> : <Music aria-hidden="true" />}
          aria-pressed={listening.current?.isSure ? undefined : listening.isMelodyOn}
          onClick={listening.hearMelody}
        >
          {listening.isStudentNext ? 'Student' : 'Melody'}
          {hasKeys && <KeyHint>L</KeyHint>}
        </Button>
      )}
      {children}
    </span>
  </>
);
