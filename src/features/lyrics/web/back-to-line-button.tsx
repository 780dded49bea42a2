import { Button } from '#web/ui/button.tsx';

/** Button below the words that scrolls back to the current line. */
export const BackToLineButton = ({ onPress }: { onPress: () => void }) => (
  <div className="pointer-events-none sticky bottom-2 z-10 mt-4 flex justify-center">
    <Button className="pointer-events-auto text-balance shadow-soft" onClick={onPress}>
      Back to the line being sung
    </Button>
  </div>
);
