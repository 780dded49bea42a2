import { MicVocal, Send } from 'lucide-react';
import { usePageSettings } from '#web/api/page-data.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { getRecordingPathFromPlayer } from '#features/recordings/web/practice-paths.ts';

type SingChoiceProps = { melodyId: number; onForMe: () => void };

/** The two ways to record: privately, to compare with the teacher, or as a recording to submit. */
export function SingChoice({ melodyId, onForMe }: SingChoiceProps) {
  const { teacherTitle } = usePageSettings();
  return (
    <div className="grid gap-1">
      <p className="flex min-h-11 items-center pe-12 text-sm font-semibold">Record your singing</p>
      <div className="flex gap-2 desk:max-w-xl">
        <Button
          icon={<MicVocal />}
          onClick={onForMe}
          className="grow px-2! text-balance max-[22rem]:[&>svg]:hidden"
        >
          Just for me
        </Button>
        <ButtonLink
          icon={<Send />}
          href={getRecordingPathFromPlayer(melodyId)}
          className="grow px-2! text-balance max-[22rem]:[&>svg]:hidden"
        >
          Send to {teacherTitle}
        </ButtonLink>
      </div>
    </div>
  );
}
