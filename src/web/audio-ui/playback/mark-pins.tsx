export type MarkPin = { start: number; end: number | null };

type MarkPinsProps = {
  pins: readonly MarkPin[];
  seconds: number;
  /** Called with the index of the pin that was pressed. */
  onPress?: ((index: number) => void) | undefined;
};

/** The number of a mark, as shown in the waveform. Hidden from screen readers. */
export const PinNumber = ({ number }: { number: number }) => (
  <span
    aria-hidden="true"
    className="grid h-6 min-w-6 shrink-0 place-items-center rounded-full bg-saffron-ground px-1 text-xs leading-none font-bold text-saffron-ink tabular-nums forced-colors:border"
  >
    {number}
  </span>
);

/**
 * The marks of a recording, drawn over its waveform. Hidden from screen readers and skipped by the Tab key,
 * because the list of marks can be used instead.
 */
export function MarkPins({ pins, seconds, onPress }: MarkPinsProps) {
  const at = (second: number) => `${(Math.min(second, seconds) / Math.max(seconds, 0.001)) * 100}%`;
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      {pins.map(({ start, end }, index) => (
        <span key={index}>
          <span
            style={{ left: at(start), width: end === null ? 2 : at(end - start) }}
            className="absolute top-5 bottom-0 rounded-sm border-s-2 border-saffron bg-saffron/25"
          />
          <button
            type="button"
            tabIndex={-1}
            onClick={() => onPress?.(index)}
            style={{ left: at(start) }}
            className="pointer-events-auto absolute top-0 grid h-5 min-w-5 -translate-x-1/2 place-items-center rounded-full bg-saffron-ground px-1 text-xs leading-none font-bold text-saffron-ink tabular-nums forced-colors:border"
          >
            {index + 1}
          </button>
        </span>
      ))}
    </div>
  );
}
