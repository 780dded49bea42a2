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
const TINTED = ['action', 'saffron', 'lapis', 'jade', 'danger'].map((tint) => `${tint}-ground`);
const INKS = ['ink', 'soft', 'action', 'saffron-ink', 'lapis', 'jade-ink', 'danger'];

/** Pairs of text and background whose contrast is below 7:1, with the reason. They still reach AA (4.5:1). */
const BELOW_AAA: Record<string, string> = {
  'dark: action on saffron-ground': 'Not used: what lies on saffron is written in saffron ink, lapis or ink.',
  'dark: action on lapis-ground': 'Not used: links on lapis are lapis.',
  'dark: action on jade-ground': 'Not used: nothing can be pressed on jade but a bordered button.',
  'dark: danger on saffron-ground': 'Not used: an error has its own ground.',
};

for (const [theme, colours] of Object.entries(themes)) {
  test(`text in the ${theme} theme has a contrast of at least 7:1 except in listed pairs`, () => {
    const pairs = [
      ...INKS.flatMap((ink) => [...GROUNDS, ...TINTED].map((ground) => [ink, ground])),
      ...['action', 'action-hover'].map((ground) => ['on-action', ground]),
      ...['danger', 'danger-hover'].map((ground) => ['on-danger', ground]),
      ['on-count', 'count'],
      ...['on-panel', 'on-panel-soft', 'panel-gold'].map((ink) => [ink, 'panel']),
    ] as [string, string][];
    const below = pairs.filter(([ink, ground]) => contrast(colours[ink], colours[ground]) < 7);
    const listed = Object.keys(BELOW_AAA).filter((pair) => pair.startsWith(`${theme}:`));
    expect(below.map(([ink, ground]) => `${theme}: ${ink} on ${ground}`).sort()).toEqual(listed.sort());
    for (const [ink, ground] of below)
      expect(contrast(colours[ink], colours[ground]), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test(`edges and focus rings in the ${theme} theme have a contrast of at least 3:1`, () => {
    // Checks that the measurement detects a contrast that is too low.
    expect(contrast(colours['line'], colours['surface'])).toBeLessThan(3);
    for (const drawn of ['edge', 'action', 'lapis'])
      for (const ground of GROUNDS)
        expect(contrast(colours[drawn], colours[ground]), `${drawn} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  test(`unplayed waveform bars in the ${theme} theme have a contrast of at least 4.5:1`, () => {
    for (const ground of GROUNDS)
      expect(contrast(colours['bars'], colours[ground]), ground).toBeGreaterThanOrEqual(4.5);
  });
}
