import { MessageCircle, Pause, Play } from 'lucide-react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { formatDurationInWords } from '#web/ui/format-duration.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { Mark, VoiceComment } from '#features/feedback/contract.ts';
import { VoiceDuration } from '#features/feedback/web/marks/voice-duration.tsx';
import { PLAYBACK_FAILED_MESSAGE, useLinePlayer } from './line-player.ts';

/** The teacher's marks on a line, written and spoken. */
export function LineMarks({ marks, voices }: { marks: readonly Mark[]; voices: readonly VoiceComment[] }) {
  const { teacherTitle } = usePageSettings();
  return (
    <ul aria-label={`${teacherTitle}’s comments`} className="grid gap-1 pb-1">
      {marks.map((mark, at) => {
        const voice = voices.find(({ id }) => id === mark.voice);
        return (
          <li key={at} className="flex items-baseline gap-2">
            <MessageCircle className="size-5 shrink-0 translate-y-1 text-saffron-ink" />
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              {mark.text !== '' && (
                <q
                  {...getLangProps(mark.text)}
                  className="min-w-0 font-serif break-words italic [&:lang(bo)]:not-italic"
                >
                  {mark.text}
                </q>
              )}
              {voice && <SpokenRemark voice={voice} />}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Seconds added to the duration, so that the end is not cut off: the duration is rounded to whole seconds. If
 * the file ends sooner, playback stops there.
 */
const END_MARGIN_SECONDS = 1;

function SpokenRemark({ voice: { audioUrl, audioCopies, duration } }: { voice: VoiceComment }) {
  const { player, playback } = useLinePlayer();
  const isOn = playback.button !== null;
  const press = () =>
    player.togglePassages('remark', [
      {
        voice: 'remark',
        src: chooseSoundUrl({ name: audioUrl, copies: audioCopies }),
        start: 0,
        end: duration + END_MARGIN_SECONDS,
      },
    ]);
  return (
    <>
      <Button aria-pressed={isOn} icon={isOn ? <Pause /> : <Play />} onClick={press} className="px-3!">
        <span className="sr-only">Play the voice comment, {formatDurationInWords(duration)}</span>
        <VoiceDuration seconds={duration} />
      </Button>
      {playback.failed !== null && <ErrorText>{PLAYBACK_FAILED_MESSAGE}</ErrorText>}
    </>
  );
}
