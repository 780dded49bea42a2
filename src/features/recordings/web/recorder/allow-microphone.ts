/** How a browser identifies itself; newer ones in `userAgentData`, older ones only in the user agent. */
export type BrowserHints = {
  userAgent: string;
  userAgentData?: { mobile: boolean; platform: string; brands: readonly { brand: string }[] } | undefined;
  maxTouchPoints: number;
};

/** Returns the steps for allowing the microphone in this browser after it was refused. */
export function stepsToAllow(hints: BrowserHints): readonly string[] {
  return steps[browserOf(hints)];
}

type Browser = keyof typeof steps;

function browserOf({ userAgent, userAgentData, maxTouchPoints }: BrowserHints): Browser {
  const brands = userAgentData?.brands.map(({ brand }) => brand).join(' ') ?? '';
  const says = (word: RegExp) => word.test(userAgent) || word.test(brands);
  const isAndroid = /Android/.test(userAgent) || userAgentData?.platform === 'Android';
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  if (isIos) return /CriOS|FxiOS|EdgiOS/.test(userAgent) ? 'ios-other' : 'ios-safari';
  if (says(/SamsungBrowser|Samsung Internet/)) return 'samsung';
  if (says(/Firefox/)) return isAndroid ? 'firefox-android' : 'firefox';
  if (says(/Edg\/|EdgA\/|Microsoft Edge/)) return isAndroid ? 'chrome-android' : 'edge';
  if (says(/Chrome|Chromium/)) return isAndroid || userAgentData?.mobile ? 'chrome-android' : 'chrome';
  return /Macintosh.*Safari/.test(userAgent) ? 'mac-safari' : 'other';
}

const TRY_AGAIN = 'Come back to this page and press the record button again.';

const steps = {
  chrome: [
    'Press the sign just left of the address, at the top.',
    'Turn on “Microphone”. If it is not there, press “Site settings” and set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  'chrome-android': [
    'Press the sign just left of the address, at the top.',
    'Press “Permissions”, then turn on “Microphone”.',
    'If it stays off: in the settings of your phone under “Apps”, allow this browser the microphone.',
    TRY_AGAIN,
  ],
  edge: [
    'Press the lock just left of the address, at the top.',
    'Press “Permissions for this site” and set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  samsung: [
    'Press the lock beside the address.',
    'Press “Permissions”, then allow “Microphone”.',
    'If it stays off: in the settings of your phone under “Apps”, “Samsung Internet”, allow the microphone.',
    TRY_AGAIN,
  ],
  firefox: [
    'Press the crossed-out microphone just left of the address, at the top.',
    'Press the cross beside “Blocked” to forget the refusal.',
    'Press the record button again, and this time press “Allow”.',
  ],
  'firefox-android': [
    'Press the lock beside the address.',
    'Press “Microphone” so that it says “Allowed”.',
    'If it stays off: in the settings of your phone under “Apps”, “Firefox”, allow the microphone.',
    TRY_AGAIN,
  ],
  'ios-safari': [
    'Press the sign beside the address, then the three dots or “Website Settings”.',
    'Set “Microphone” to “Allow”.',
    'If it is not there: open the Settings of your device, “Apps”, “Safari”, “Microphone”, and choose “Ask” or “Allow”.',
    TRY_AGAIN,
  ],
  'ios-other': [
    'Open the Settings of your device, scroll down to this browser under “Apps”.',
    'Turn on “Microphone”.',
    TRY_AGAIN,
  ],
  'mac-safari': [
    'In the menu at the top of the screen, press “Safari”, then “Settings for This Website…”.',
    'Set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  other: ['Press the sign beside the address at the top, and allow the microphone for this page.', TRY_AGAIN],
} as const;
