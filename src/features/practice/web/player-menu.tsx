import { clsx } from 'clsx';
import {
  AudioLines,
  Copy,
  EllipsisVertical,
  Keyboard,
  Printer,
  Repeat,
  SlidersHorizontal,
  Text,
} from 'lucide-react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { KeyCap } from '#web/ui/key-cap.tsx';
import { LAYER_NAMES, LayerSwitches } from '#features/lyrics/web/layer-switches.tsx';
import type { PracticeLyrics } from './practice-text.tsx';
import { getLineWords } from '#features/lyrics/parse.ts';
import { useShownLayers } from '#features/lyrics/web/shown-layers.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TimedText } from '#features/lyrics/web/use-timed-text.ts';
import { formatDuration } from '#web/ui/format-duration.ts';
import { LYRICS_SCALES, type LyricsScale } from '#features/lyrics/web/lyrics-scale.ts';
import { HeaderPanel, useCloseHeaderPanel } from './header-panel.tsx';
import type { DockPanelName } from './player-dock.tsx';

type PlayerMenuProps = {
  title: string;
  /** The words as the teacher typed them; null if there are none or they have not loaded. */
  typed: string | null;
  words: PracticeLyrics;
  onSize: (size: LyricsScale) => void;
  /** Null if there is no audio. */
  clock: PracticeTransport | null;
  /** Whether letter keys are shortcuts; absent if there is no audio. */
  letters?: { areKeys: boolean; choose: (areKeys: boolean) => void };
  /** Opens the settings for speed or repeats; absent if there is no audio. */
  onSettings?: (which: DockPanelName) => void;
};

/**
 * Settings for the words, a list of lines and keyboard help. A single menu on phones, several panels on
 * desktops.
 */
export function PlayerMenu(props: PlayerMenuProps) {
  const { title, words, onSettings } = props;
  const { present } = words.text;
  const shown = useShownLayers(present);
  const names = present.filter((layer) => shown.has(layer)).map((layer) => LAYER_NAMES[layer]);
  const layers = names.map((name, i) => (i === 0 ? name : name.toLowerCase())).join(', ');
  const size = `${words.size * 100}%`;
  const hasWords = words.text.lines.length > 0;
  return (
    <>
      <HeaderPanel
        label="Menu"
        title={title}
        shown={<EllipsisVertical />}
        className="justify-self-end desk:hidden"
      >
        {hasWords && <WordsSizes {...props} />}
        {hasWords && <LayerSwitches present={present} shown={shown} />}
        {onSettings && <SettingsButtons onSettings={onSettings} />}
        {hasWords && <WordsActions {...props} />}
        <div className="pointer-coarse:hidden">
          <KeysPanel {...props} />
        </div>
      </HeaderPanel>
      {hasWords && (
        <div className="flex max-desk:hidden">
          <HeaderPanel
            label={`Aa ${size}, text size`}
            shown={
              <>
                <span className="font-serif text-lg">Aa</span> {size}
              </>
            }
          >
            <WordsSizes {...props} />
          </HeaderPanel>
          {present.length > 1 && (
            <HeaderPanel
              label={`${layers}, shown words`}
              shown={
                <>
                  <SlidersHorizontal />
                  {layers}
                </>
              }
            >
              <LayerSwitches present={present} shown={shown} />
            </HeaderPanel>
          )}
          <HeaderPanel
            label="Lines"
            shown={
              <>
                <Text />
                Lines
              </>
            }
          >
            <WordsActions {...props} />
          </HeaderPanel>
        </div>
      )}
      <HeaderPanel
        label="Keys: Spacebar play/pause · ESC closes"
        shown={
          <>
            <Keyboard />
            <span className="not-larger:min-[80rem]:hidden">Keys</span>
            <span className="font-normal whitespace-nowrap text-soft max-[80rem]:hidden larger:hidden">
              <KeyCap>Spacebar</KeyCap> play/pause · <KeyCap>ESC</KeyCap> closes
            </span>
          </>
        }
        className="max-desk:hidden"
      >
        <KeysPanel {...props} />
      </HeaderPanel>
    </>
  );
}

function WordsSizes({ words, onSize }: PlayerMenuProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="mb-1 text-sm font-semibold">Text size</legend>
      {LYRICS_SCALES.map((size) => (
        <label
          key={size}
          className={clsx(
            'inline-flex min-h-11 cursor-pointer items-center rounded-full border px-3 text-sm',
            'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-lapis',
            size === words.size
              ? 'forced-highlight border-action bg-action-ground text-action'
              : 'border-edge',
          )}
        >
          <input
            type="radio"
            name="words-size"
            checked={size === words.size}
            onChange={() => onSize(size)}
            className="sr-only"
          />
          {size * 100}%
        </label>
      ))}
    </fieldset>
  );
}

function SettingsButtons({ onSettings }: Required<Pick<PlayerMenuProps, 'onSettings'>>) {
  const close = useCloseHeaderPanel();
  const open = (which: DockPanelName) => {
    close();
    onSettings(which);
  };
  return (
    <div className="grid gap-2">
      <Button icon={<SlidersHorizontal />} onClick={() => open('speed')}>
        Speed and volume
      </Button>
      <Button icon={<Repeat />} onClick={() => open('repeats')}>
        Repeats and pauses
      </Button>
    </div>
  );
}

function WordsActions({ typed, words: { text, loops }, clock }: PlayerMenuProps) {
  const close = useCloseHeaderPanel();
  const isTimed = clock !== null && text.passages.length > 0;
  // Needs a secure page. Insecure pages have no `navigator.clipboard`, so they don't show the button.
  const copy = async (words: string) => {
    await navigator.clipboard.writeText(words);
    toast({ title: 'Words copied' });
    close();
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {isTimed && (
          <Button
            icon={<AudioLines />}
            onClick={() => {
              close();
              loops.begin();
            }}
          >
            Loop several lines
          </Button>
        )}
        {typed !== null && 'clipboard' in navigator && (
          <Button icon={<Copy />} onClick={() => void copy(typed)}>
            Copy the words
          </Button>
        )}
        <Button
          icon={<Printer />}
          onClick={() => {
            close();
            // Prints after the menu has closed.
            setTimeout(() => window.print());
          }}
        >
          Print the words
        </Button>
      </div>
      {isTimed && (
        <LineList
          text={text}
          onPress={(index) => {
            close();
            clock.playLine(text.starts.get(index)!);
          }}
        />
      )}
    </>
  );
}

type LineListProps = { text: TimedText; onPress: (index: number) => void };

/** A list of all timed lines with their numbers, for finding a line in a long text. */
function LineList({ text: { lines, passages }, onPress }: LineListProps) {
  return (
    <ol aria-label="Lines" className="grid">
      {passages.map(({ index, start }) => {
        const words = getLineWords(lines[index]!);
        return (
          <li key={index}>
            <button
              type="button"
              onClick={() => onPress(index)}
              className="grid min-h-11 w-full grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-2 rounded-sm px-2 text-start text-sm hover:bg-sunk"
            >
              <span className="font-semibold text-saffron-ink tabular-nums">{index + 1}</span>
              <span {...getLangProps(words)} className="truncate font-serif">
                {words}
              </span>
              <span className="text-soft tabular-nums">{formatDuration(start)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const KeysPanel = ({ letters }: PlayerMenuProps) => (
  <div className="text-sm text-soft">
    <KeyHints />
    {letters && (
      <Checkbox
        label={
          <>
            Keys <KeyCap>A</KeyCap> and <KeyCap>B</KeyCap> set the loop, <KeyCap>L</KeyCap> loops the line
          </>
        }
        checked={letters.areKeys}
        onChange={({ target }) => letters.choose(target.checked)}
        className="mt-1"
      />
    )}
  </div>
);

const KeyHints = () => (
  <p>
    <KeyCap>Spacebar</KeyCap> play/pause · <KeyCap>ESC</KeyCap> closes · <KeyCap>←</KeyCap> <KeyCap>→</KeyCap>{' '}
    back or forward 5 seconds · <KeyCap>+</KeyCap> <KeyCap>−</KeyCap> zoom the waveform
  </p>
);
