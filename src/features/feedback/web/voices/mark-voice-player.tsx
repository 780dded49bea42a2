import { MicOff, Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { exclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { notStoredMessages } from '#features/recordings/web/recorder/recorder-messages.ts';
import { takeWarningMessages } from '#features/recordings/web/recorder/take-warnings.ts';
import { useBlobUrl } from '#web/audio-ui/upload/chosen-audio-player.tsx';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { Button } from '#web/ui/button.tsx';
import { VoiceDuration } from '../marks/voice-duration.tsx';
import type { VoiceLocation } from './use-mark-voices.ts';

type MarkVoicePlayerProps = {
  voice: VoiceLocation;
  /** Formatted position of the mark, such as '0:42'. */
  place: string;
};

/** Player for a mark's voice comment in a form, or a message that the audio is on another device. */
export function MarkVoicePlayer({ voice, place }: MarkVoicePlayerProps) {
  if (voice === 'elsewhere')
    return (
      <p className="flex items-center gap-1.5 text-sm text-soft">
        <MicOff className="size-4 shrink-0" />
        Recorded on another device
      </p>
    );
  if (voice === 'loading') return <Player {...{ place }} address={null} seconds={null} />;
  if ('audio' in voice) return <StoredVoice audio={voice.audio} place={place} />;
  const { audioUrl, audioCopies, duration } = voice.stored;
  const address = chooseSoundUrl({ name: audioUrl, copies: audioCopies });
  return <Player {...{ place, address }} seconds={duration} />;
}

function StoredVoice({ audio, place }: { audio: ChosenAudio; place: string }) {
  const address = useBlobUrl(audio.blob);
  return <Player {...{ place, address }} seconds={audio.seconds} />;
}

/** Shows problems with a voice comment recorded on this device, below its mark. */
export function VoiceWarnings({ voice }: { voice: VoiceLocation }) {
  if (typeof voice === 'string' || !('audio' in voice)) return null;
  const { notes = [], kept, notKept: problem } = voice.audio;
  const sentences = [
    ...notes.map((note) => takeWarningMessages[note]),
    ...(kept || !problem ? [] : [notStoredMessages[problem]]),
  ];
  return sentences.map((sentence) => (
    <p key={sentence} className="mt-1.5 px-1 text-sm font-semibold text-danger">
      {sentence}
    </p>
  ));
}

type PlayerProps = { place: string; address: string | null; seconds: number | null };

function Player({ place, address, seconds }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    const { current } = audio;
    return current ? exclusivePlayback.add(current) : undefined;
  }, []);
  const press = () => {
    const { current } = audio;
    if (!current) return;
    if (!current.paused) return current.pause();
    current.currentTime = 0;
    current.play().catch(() => setIsOn(false));
  };
  const Icon = isOn ? Square : Play;
  return (
    <>
      <Button
        icon={<Icon aria-hidden="true" />}
        disabled={address === null}
        onClick={press}
        className="min-h-11 px-3"
      >
        <span className="sr-only">
          {isOn ? 'Stop' : 'Play'} the voice comment at {place}
        </span>
        <VoiceDuration seconds={seconds ?? 0} />
      </Button>
      <audio
        ref={audio}
        src={address ?? undefined}
        preload="none"
        onPlay={() => setIsOn(true)}
        onPause={() => setIsOn(false)}
      />
    </>
  );
}
