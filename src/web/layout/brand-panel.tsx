import { usePageSettings } from '../api/page-data.ts';
import { Lotus } from '../ui/lotus.tsx';
import mani from './mani.svg';

export const RECORDING_LENGTH_NOTE = 'Practice recordings may be up to 2 minutes of audio.';

/** Fills half of a wide screen. On phones it is a strip above the form. */
export function BrandPanel() {
  const { appName, tagline } = usePageSettings();
  return (
    <header className="relative flex shrink-0 flex-col overflow-hidden bg-panel px-5 py-5 text-on-panel sm:px-8 lg:px-18 lg:py-16">
      <div className="flex flex-wrap items-center gap-3">
        <Lotus className="w-9 text-panel-gold" strokeWidth={3} />
        <p className="font-serif text-2xl leading-none">{appName}</p>
        <Mani className="ms-auto h-9 w-[calc(2.25rem*498/171)] max-[23rem]:hidden lg:hidden" />
      </div>
      <p className="mt-3 text-sm text-on-panel-soft lg:hidden">{tagline}</p>
      <div className="relative z-10 my-auto max-lg:hidden">
        <Mani className="h-16 w-[calc(4rem*498/171)]" />
        <p className="mt-8 max-w-[18ch] font-serif text-3xl text-on-panel-soft italic">{tagline}</p>
      </div>
      <p className="relative z-10 text-sm text-on-panel-soft max-lg:hidden">{RECORDING_LENGTH_NOTE}</p>
      <Lotus
        className="absolute end-0 bottom-28 w-[27rem] max-w-[62%] text-panel-line max-lg:hidden"
        strokeWidth={0.7}
      />
    </header>
  );
}

/**
 * The mantra as an image, because text would need a 160 KB font for one line of the lightest page. The image is
 * a separate file, so that no other page loads it. It has no `alt`, because the browser would show that while
 * loading, at a different height.
 */
const Mani = ({ className }: { className?: string }) => (
  <img src={mani} width="498" height="171" lang="bo" aria-label="ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།" className={className} />
);
