import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { PlayerDialogHeader } from '../player-dialog.tsx';

/**
 * Header of the timing view, in place of the player's header. Its button returns to the words instead of
 * closing the player.
 */
export const TimingHeader = ({ onBack, children }: { onBack: () => void; children?: ReactNode }) => (
  <PlayerDialogHeader
    title="Time the lines"
    close={
      <button
        type="button"
        aria-label="Back to the words"
        onClick={onBack}
        className="grid size-12 place-items-center rounded-md hover:bg-sunk"
      >
        <ChevronLeft className="size-6" />
      </button>
    }
  >
    {children}
  </PlayerDialogHeader>
);
