import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** Returns the colours of the first rule with this selector. */
function coloursOf(selector: string) {
  const rule = css.slice(css.indexOf(`\n${selector} {`)).split('}')[0]!;
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+): (#[\da-f]{6})/g)].map(([, name, hex]) => [name, hex]),
  );
}
const light = coloursOf(':root');
const themes = { light, dark: { ...light, ...coloursOf(":root[data-theme='dark']") } };

/** Computes the contrast as WCAG defines it. */
function contrast(one: string, other: string) {
  const luminance = (hex: string) => {
    const [r, g, b] = [1, 3, 5]
      .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const GROUNDS = ['ground', 'surface', 'sunk'];

for (const [theme, colours] of Object.entries(themes)) {
  test(`edges and focus rings have a contrast of 3:1, ${theme}`, () => {
    // Checks that the measurement detects a contrast that is too low.
    expect(contrast(colours['line'], colours['surface'])).toBeLessThan(3);
    for (const drawn of ['edge', 'action', 'lapis'])
      for (const ground of GROUNDS)
        expect(contrast(colours[drawn], colours[ground]), `${drawn} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  test(`unplayed waveform bars have a contrast of 4.5:1, ${theme}`, () => {
    for (const ground of GROUNDS)
      expect(contrast(colours['bars'], colours[ground]), ground).toBeGreaterThanOrEqual(4.5);
  });
}
