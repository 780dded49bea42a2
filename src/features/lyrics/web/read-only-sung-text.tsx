import { useMemo } from 'react';
import { getLayers, parseSungText } from '../parse.ts';
import { LayerSwitches } from './layer-switches.tsx';
import { useShownLayers } from './shown-layers.ts';
import { type LineNotesRenderer, SungLines } from './sung-lines.tsx';

type ReadOnlySungTextProps = { text: string; notes?: LineNotesRenderer | null; isSilent?: boolean };

/** A melody's words to read or sing from, without its audio. */
export function ReadOnlySungText({ text, ...noted }: ReadOnlySungTextProps) {
  const { verses, present } = useSungText(text);
  return <SungLines verses={verses} shown={useShownLayers(present)} {...noted} />;
}

/** The layer switches of a text, to be shown outside the text itself. */
export function TextLayerSwitches({ text }: { text: string }) {
  const { present } = useSungText(text);
  return <LayerSwitches present={present} shown={useShownLayers(present)} />;
}

/** Returns the parsed text, memoized until the text changes. */
export function useSungText(text: string | null) {
  return useMemo(() => {
    const verses = parseSungText(text ?? '');
    return { verses, lines: verses.flat(), present: getLayers(verses) };
  }, [text]);
}
