import { useSettings } from '../../../platform/web/page-data.ts';
import { Lotus } from '../../../platform/web/ui/lotus.tsx';

export const RECORDING_LENGTH = 'Practice recordings may be up to 2 minutes of audio.';

/** Half of a wide screen; on phones a strip above the form. */
export function BrandPanel() {
  const { appName, tagline } = useSettings();
  return (
    <header className="relative flex shrink-0 flex-col overflow-hidden bg-panel px-5 py-5 text-on-panel sm:px-8 lg:px-18 lg:py-16">
      <div className="flex items-center gap-3">
        <Lotus className="w-9 text-panel-gold" strokeWidth={3} />
        <p className="font-serif text-2xl leading-none">{appName}</p>
        <Mani className="ms-auto h-9 text-panel-gold max-[23rem]:hidden lg:hidden" />
      </div>
      <p className="mt-3 text-sm text-on-panel-soft lg:hidden">{tagline}</p>
      <div className="relative z-10 my-auto max-lg:hidden">
        <Mani className="h-16 text-panel-gold" />
        <p className="mt-8 max-w-[18ch] font-serif text-3xl text-on-panel-soft italic">{tagline}</p>
      </div>
      <p className="relative z-10 text-sm text-on-panel-soft max-lg:hidden">{RECORDING_LENGTH}</p>
      <Lotus
        className="absolute end-0 bottom-28 w-[27rem] max-w-[62%] text-panel-line max-lg:hidden"
        strokeWidth={0.7}
      />
    </header>
  );
}

/**
 * The mani, drawn: as text it would fetch 160 KB of font for one line of the lightest page.
 * Outlines of Noto Serif Tibetan (SIL Open Font License).
 */
function Mani({ className }: { className?: string }) {
  return (
    <svg
      viewBox="2 -118 498 171"
      fill="currentColor"
      role="img"
      lang="bo"
      aria-label="ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།"
      className={className}
    >
      <path d={OUTLINES} />
    </svg>
  );
}

const OUTLINES =
  'M42-64q5 6 10 13q6 6 10 13q5 7 9 14l-2 4q-8-10-17-20q-9-10-18-17l8-7zM55-68l-2 9h-30l2-9h30zM70-25q-1-9-2-18q-1-9-2-16h-5l2-9h13l-2 9v40l-5-1l1-5zM69-21h5v1h-5v-1zM18-68q-3 5-5 11q-2 5-2 10q0 9 5 12q5 4 12 4q5 0 8-1q2-2 2-4q0-2-2-3q-3-2-8-2q-1 0-3 0q-1 1-3 1l-3-3q3-6 6-11q4-5 8-9l8 1l-1 3q-5 3-9 6q-4 3-6 6l-1-1q1-1 2-1q1 0 2 0q6 0 10 3q5 3 5 9q0 7-5 11q-4 3-11 3q-9 0-15-6q-6-5-6-17q0-4 1-7q0-3 1-6h-4l2-9h12zM44-77l-3-3q2-7 6-10q4-4 9-4q5-1 9-1q4 0 8-1q4-1 7-3q3-2 4-6l4 4q-3 6-6 9q-4 3-10 5q-4 0-9 1q-4 0-7 1q-5 0-7 2q-3 1-5 6zM48-71q-7-6-12-10q-6-3-9-5q-4-2-7-3q-4-1-6-1q-2 0-4 0q-2 1-4 1l2-8q1-1 3-2q2 0 4 0q3 0 7 1q3 1 7 4q4 2 9 7q5 5 12 12l-2 4zM42-116q5 0 8 2q3 3 3 8q0 5-3 8q-3 3-8 3q-4 0-7-3q-3-3-3-8q0-5 3-8q3-2 7-2zM42-111q-2 0-4 1q-1 2-1 4q0 3 1 4q2 2 4 2q3 0 4-2q2-1 2-4q0-2-2-4q-1-1-4-1zM98-68l-4 12h-7l-4-12h15zM160-10q-7-9-13-15q-5-6-9-10q-5-3-8-4q-4-2-8-2q-6 0-9 3q-3 2-3 7q0 4 3 7q3 2 7 2q6 0 9-4q4-4 4-11q0-8-3-15q-3-7-8-12l8-2q4 6 6 13q3 7 3 15q0 10-5 15q-5 6-14 6q-5 0-9-2q-3-2-5-6q-2-3-2-8q0-7 5-12q5-5 13-5q5 0 9 2q5 2 9 6q5 5 10 11q6 7 12 17l-2 4zM160-10v-1h5v1h-5zM108-59l2-9h32l-2 9h-32zM165-9l-5-1l1-5q0-13-2-24q-1-11-3-20h-4l2-9h13l-2 9v50zM189-68l-4 12h-6l-5-12h15zM217-65l9 2q-5 5-8 12q-4 7-4 15q0 9 5 14q5 5 13 5q8 0 11-4q4-3 4-8q0-5-4-8q-4-4-11-4q-6 0-11 3q-4 2-8 7q-3 6-6 15q-2 10-4 26q-1 15-2 37l-5-3q0-23 2-40q1-16 4-27q3-10 7-16q4-6 9-8q6-3 13-3q10 0 16 6q6 5 6 13q0 5-3 9q-2 5-6 7q-5 2-12 2q-7 0-12-3q-5-3-8-8q-3-5-3-13q0-8 2-15q3-7 6-13zM255-68l-2 9h-54l2-9h54zM251-71q-7-8-13-13q-5-5-9-8q-4-3-7-4q-4-1-7-1q-4 0-7 1q-2 2-2 5q0 2 2 3q2 2 5 2q2 0 4-1q2-1 3-2l1 6q-2 3-5 4q-2 1-6 1q-4 0-7-3q-2-2-2-7q0-3 0-6q1-3 3-6q2-3 5-4q4-2 8-2q4 0 8 2q3 1 7 5q4 3 9 9q5 6 11 15l-1 4zM277-68l-4 12h-7l-4-12h15zM333-10q-5-8-9-12q-4-5-9-6q-5-2-12-2q-4 0-8 1q-4 0-8 1l-4-4q2-8 4-17q2-8 5-14l8 1q-4 6-7 14q-3 7-5 14v-3q3-1 6-1q4-1 7-1q7 0 13 2q6 3 11 8q5 6 10 15l-2 4zM333-10v-1h5v1h-5zM286-59l2-9h19l-2 9h-19zM338-9l-5-1l1-5q-1-13-2-24q-1-11-3-20h-4l2-9h13l-2 9v50zM356-63l9 1q-5 5-8 10q-3 5-5 9v-2q5-1 11-1q5-1 10-1q10 0 16 3q6 2 8 8q2 5 3 14l-5-2q0-5-2-7q-1-3-4-4q-2-2-6-2q-4-1-11-1q-5 0-10 0q-6 1-11 1l-4-3q2-6 4-12q3-6 5-11zM397-68l-2 9h-44l2-9h44zM395 24q-6-8-10-12q-4-5-8-7q-3-3-6-4q-3-1-7-1q-4 0-7 2q-2 2-2 5q0 3 2 5q2 2 5 2q5 0 7-3q3-3 3-9q0-7-3-13q-2-5-7-10l8-1q3 4 5 10q2 6 2 13q0 8-4 13q-4 5-11 5q-6 0-9-4q-4-4-4-9q0-7 4-11q4-4 11-4q5 0 10 3q5 3 11 9q5 7 13 18l-3 3zM395 24v-1h5v1h-5zM352-16l2-8h27l-2 8h-27zM400 25l-5-1l1-5q0-10-1-19q-1-9-3-16h-4l2-8h12l-2 8v41zM354-97q-1 0-3 1q-2 0-4 0l1-8q2-1 4-1q2-1 4-1q4 0 7 1q3 1 7 3q3 2 7 5q4 4 8 9q5 6 12 13l-2 4q-8-8-14-13q-6-5-10-8q-5-3-9-4q-4-1-8-1zM420-68l-4 12h-7l-4-12h15zM454-8l-1-4q6-6 9-10q4-5 5-8q1-3 1-5q0-5-3-7q-3-2-9-2q-4 0-8 1q-3 1-6 3l-2-3q4-4 8-6q5-2 11-2q8 0 13 3q4 4 4 11q0 4-2 8q-1 4-6 9q-5 5-14 12zM448-32q-3-2-6-3q-3-1-7-2q-3-1-8-1l-2-4q2-6 5-12q3-5 6-9l8 1q-4 4-8 9q-4 5-6 9l-1-3q5 1 9 3q4 1 7 4q4 3 7 7l-4 1zM429-59l2-9h42l-2 9h-42zM458 6q4 0 7 1q4 2 7 6q3 5 6 12l-3 1q-4-5-6-7q-3-3-6-4q-3-1-7-1q-1 0-2 0q-1 1-1 1l1-9q1 0 2 0q1 0 2 0zM450-12l-2 7q-2 1-2 3q-1 2-1 5q0 2 1 4q0 2 2 4l-6 7q-2-3-3-5q-1-3-1-6q0-5 3-11q3-5 9-8zM466-12q3 2 4 5q2 3 2 7q0 7-6 12l-2-1q1-2 2-3q0-2 0-4q0-4-1-6q-2-3-6-5l7-5zM473-12l-2 9h-27l6-9h23zM425 5q6 7 11 12q5 6 9 11q4 4 7 8q4 3 8 5q4 1 9 1q4 0 6-2q2-2 2-4q0-3-1-4q-2-2-6-2q-2 0-4 1q-2 0-4 2l-2-9q2-1 4-2q2-1 5-1q4 0 7 2q3 2 4 5q2 3 2 7q0 4-2 8q-2 4-5 6q-4 2-9 2q-6 0-10-2q-4-2-8-6q-3-4-7-9q-4-6-9-13q-5-6-12-14l5-2zM473 23l4 2v1h-4v-3zM452-74q-16 0-21-18l4-2q2 6 6 9q4 3 11 3q6 0 10-3q4-3 6-9l4 2q-2 9-7 14q-5 4-13 4zM452-111q4 0 7 3q3 3 3 8q0 5-3 8q-3 2-7 2q-5 0-8-2q-3-3-3-8q0-5 3-8q3-3 8-3zM452-106q-3 0-4 2q-2 1-2 4q0 2 2 4q1 1 4 1q2 0 4-1q1-2 1-4q0-3-1-4q-2-2-4-2zM498-68l-3 9v106l-5-3q0-16 0-29q0-13-1-23q0-11 0-19q-1-9-1-17q-1-8-2-15l-3-9h15z';
