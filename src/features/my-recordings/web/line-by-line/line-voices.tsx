import { clsx } from 'clsx';
import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import { SegmentButton, segmentGroupClass } from '#features/practice/web/segment-button.tsx';
import type { LinePlayback, VoicePassage } from './line-player.ts';
import type { LinePassage } from '#features/line-matching/web/passages.ts';

/** A recording of the melody by the teacher or the student. */
export type LineVoice = {
  /** Label of the button: 'Khandro-la', 'Mine', '1st'. */
  name: string;
  /** Name for screen readers; begins with `name`: '1st recording'. */
  fullName?: string;
  src: string;
  /** Passages by line, in seconds. */
  passages: ReadonlyMap<number, LinePassage>;
  /** Text shown in place of the button for a line that is not in `passages`. Default: 'not found'. */
  absent?: string;
  /** Whether `passages` are still loading. If so, 'Play all' is disabled, so that it skips no attempt. */
  isLoading?: boolean;
};

export type LineVoiceButtonsProps = {
  line: number;
  /** Line number shown to the user, from 1. */
  number: number;
  voices: readonly LineVoice[];
  /** Whether closed lines have a 'Play all' button too. */
  playsInTurnClosed?: boolean | undefined;
  isOpen: boolean;
  playback: LinePlayback;
  /** @param button id of the button, as in `playback.button` */
  onPress: (button: string, passages: readonly VoicePassage[]) => void;
};

/** Returns the id of a button; `name` is its label. */
export const getVoiceButtonId = (line: number, name: string) => `${line} ${name}`;

export const isButtonOfLine = (button: string | null, line: number) =>
  button?.startsWith(getVoiceButtonId(line, '')) ?? false;

type VoiceName = Pick<LineVoice, 'name' | 'fullName'>;

const getSpokenName = ({ name, fullName = name }: VoiceName, number: number) => `${fullName}, line ${number}`;

/**
 * Returns the passage of a line in one recording, as a list. The list is empty if the line was not found in
 * that recording.
 */
export function getVoicePassages(voice: LineVoice, line: number, number: number): VoicePassage[] {
  const passage = voice.passages.get(line);
  return passage ? [{ voice: getSpokenName(voice, number), src: voice.src, ...passage }] : [];
}

const PLAY_ALL = 'Play all';

/**
 * The buttons of a line: one for each recording that contains the line and, if there are several, one that
 * plays all in turn.
 */
export function LineVoiceButtons(props: LineVoiceButtonsProps) {
  const { line, number, voices, playsInTurnClosed = false, isOpen, playback, onPress } = props;
  const aloud = (voice: VoiceName) => getSpokenName(voice, number);
  const getPassagesOf = (voice: LineVoice) => getVoicePassages(voice, line, number);
  const all = voices.flatMap(getPassagesOf);
  const isAllOn = playback.button === getVoiceButtonId(line, PLAY_ALL);
  const isIncomplete = voices.some(({ isLoading }) => isLoading);
  const propsOf = (voice: VoiceName, parts: readonly VoicePassage[]) => {
    const button = getVoiceButtonId(line, voice.name);
    const isOn = playback.button === button;
    return {
      name: voice.name,
      label: aloud(voice),
      isOn,
      isLoading: isOn && playback.isLoading,
      onPress: () => onPress(button, parts),
    };
  };
  const inTurnButton = all.length > 1 && (
    <VoiceButton
      {...propsOf({ name: PLAY_ALL }, all)}
      isDisabled={isIncomplete}
      icon={isOpen && <Play className="size-4! fill-current" />}
    />
  );
  const isApart = isOpen || !playsInTurnClosed;
  return (
    <div role="group" aria-label={`Line ${number}`} className="flex flex-wrap gap-2">
      <div className={clsx(segmentGroupClass, 'flex-wrap', isOpen && 'grow desk:grow-0')}>
        {voices.map((voice) => {
          const parts = getPassagesOf(voice);
          return parts.length > 0 ? (
            <VoiceButton
              key={voice.name}
              {...propsOf(voice, parts)}
              isSounding={isAllOn && playback.voice === aloud(voice)}
            />
          ) : (
            <AbsentVoice key={voice.name} {...{ voice, isOpen }} isForInTurn={!isApart} />
          );
        })}
        {!isApart && inTurnButton}
      </div>
      {isOpen && inTurnButton && <div className={clsx(segmentGroupClass, '*:px-3')}>{inTurnButton}</div>}
    </div>
  );
}

type VoiceButtonProps = {
  name: string;
  label: string;
  icon?: ReactNode;
  isOn: boolean;
  isLoading: boolean;
  isDisabled?: boolean;
  /** Whether this recording is playing as part of 'Play all'. */
  isSounding?: boolean;
  onPress: () => void;
};

/**
 * Button that plays a line from one recording, or from all. While it plays, it shows an icon. The name is
 * then invisible but still takes up space, so that the button keeps its width.
 */
const VoiceButton = ({
  name,
  label,
  icon,
  isOn,
  isLoading,
  isDisabled = false,
  isSounding = false,
  onPress,
}: VoiceButtonProps) => (
  <SegmentButton
    aria-label={label}
    aria-pressed={isOn}
    aria-busy={isLoading || isDisabled || undefined}
    disabled={isDisabled}
    isChosen={isOn}
    onClick={onPress}
    className={clsx(
      'px-1.5 desk:px-3.5',
      isSounding && 'forced-highlight underline decoration-2 underline-offset-4',
    )}
  >
    <span className="grid place-items-center *:col-start-1 *:row-start-1">
      <span className={clsx('flex items-center gap-1.5', isOn && 'invisible')}>
        {icon}
        {name}
      </span>
      {isOn && (isLoading ? <Spinner /> : <Pause className="size-4! fill-current" />)}
    </span>
  </SegmentButton>
);

type AbsentVoiceProps = {
  voice: LineVoice;
  isOpen: boolean;
  /**
   * Whether to make the text as wide as two buttons. Once the line is found, the recording's button and 'Play
   * all' replace the text, and the row must keep its width.
   */
  isForInTurn: boolean;
};

/**
 * Text in place of the button if the line is missing in a recording. An open line may be missing in several
 * recordings, so each text shows the recording's name.
 */
const AbsentVoice = ({ voice: { name, absent = 'not found' }, isOpen, isForInTurn }: AbsentVoiceProps) => (
  <p
    className={clsx(
      'grid min-h-11 grow content-center justify-items-center bg-sunk px-2 text-xs leading-tight text-soft',
      isForInTurn && 'min-w-23 desk:min-w-32',
    )}
  >
    <span className={isOpen ? 'font-semibold' : 'sr-only'}>{name}</span>
    <span className="sr-only">: </span>
    {absent}
  </p>
);
