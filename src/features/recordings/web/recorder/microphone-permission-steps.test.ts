import { expect, test } from 'vitest';
import { getMicrophonePermissionSteps, type BrowserHints } from './microphone-permission-steps.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const first = (userAgent: string, more: Partial<BrowserHints> = {}) =>
  getMicrophonePermissionSteps({ userAgent, maxTouchPoints: 0, ...more });

test.each([
  ['Chrome on a computer', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, /Turn on “Microphone”/],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, /“Permissions”/],
  ['Edge', `Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/141.0`, /Permissions for this site/],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 14; SM-S901B) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    /Samsung Internet/,
  ],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', /“Blocked”/],
  ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0', /“Firefox”/],
  ['Safari on iPhone', `${PHONE} Version/19.0 Mobile/15E148 Safari/604.1`, /“Safari”, “Microphone”/],
  ['Chrome on iPhone', `${PHONE} CriOS/141.0 Mobile/15E148 Safari/604.1`, /Turn on “Microphone”/],
  [
    'Safari on a Mac',
    `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`,
    /Settings for This Website/,
  ],
  ['an unknown browser', 'Lynx/2.9', /allow the microphone for this page/],
])('shows how to allow the microphone in %s', (_, userAgent, words) => {
  expect(first(userAgent).join(' ')).toMatch(words);
});

test('shows steps in the device’s Settings on an iPad that identifies as a Mac', () => {
  const safari = `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`;
  expect(first(safari, { maxTouchPoints: 5 }).join(' ')).toMatch(/your device’s Settings/);
});

test('recognizes Chrome on Android by its client hints if the user agent hides it', () => {
  const userAgentData = { mobile: true, platform: 'Android', brands: [{ brand: 'Google Chrome' }] };
  expect(first(`Mozilla/5.0 ${CHROME}`, { userAgentData }).join(' ')).toMatch(/your phone’s settings/);
});
