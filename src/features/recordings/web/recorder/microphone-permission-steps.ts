/** How a browser identifies itself. Newer browsers provide `userAgentData`, older ones only `userAgent`. */
export type BrowserHints = {
  userAgent: string;
  userAgentData?: { mobile: boolean; platform: string; brands: readonly { brand: string }[] } | undefined;
  maxTouchPoints: number;
};

/** Returns instructions for allowing the microphone in this browser after access was denied. */
export function getMicrophonePermissionSteps(hints: BrowserHints): readonly string[] {
  return steps[detectBrowser(hints)];
}

type Browser = keyof typeof steps;

function detectBrowser({ userAgent, userAgentData, maxTouchPoints }: BrowserHints): Browser {
  const brands = userAgentData?.brands.map(({ brand }) => brand).join(' ') ?? '';
  const says = (word: RegExp) => word.test(userAgent) || word.test(brands);
  const isAndroid = /Android/.test(userAgent) || userAgentData?.platform === 'Android';
  // Treats a Mac with a touch screen as an iPad, because iPads identify as Macs and no Mac has a touch screen.
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
    'Press the icon to the left of the web address.',
    'Turn on “Microphone”. If you don’t see it, press “Site settings” and set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  'chrome-android': [
    'Press the icon to the left of the web address.',
    'Press “Permissions”, then turn on “Microphone”.',
    'If it stays off, open your phone’s settings, then “Apps”, and allow the microphone for this browser.',
    TRY_AGAIN,
  ],
  edge: [
    'Press the lock to the left of the web address.',
    'Press “Permissions for this site” and set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  samsung: [
    'Press the lock beside the web address.',
    'Press “Permissions”, then allow “Microphone”.',
    'If it stays off, open your phone’s settings, then “Apps”, “Samsung Internet”, and allow the microphone.',
    TRY_AGAIN,
  ],
  firefox: [
    'Press the crossed-out microphone to the left of the web address.',
    'Press the cross beside “Blocked”.',
    'Press the record button again, and this time press “Allow”.',
  ],
  'firefox-android': [
    'Press the lock beside the web address.',
    'Press “Microphone” so that it says “Allowed”.',
    'If it stays off, open your phone’s settings, then “Apps”, “Firefox”, and allow the microphone.',
    TRY_AGAIN,
  ],
  'ios-safari': [
    'Press the icon beside the web address, then the three dots or “Website Settings”.',
    'Set “Microphone” to “Allow”.',
    'If you don’t see it, open your device’s Settings, then “Apps”, “Safari”, “Microphone”, and choose “Ask” or “Allow”.',
    TRY_AGAIN,
  ],
  'ios-other': [
    'Open your device’s Settings, then “Apps”, and choose this browser.',
    'Turn on “Microphone”.',
    TRY_AGAIN,
  ],
  'mac-safari': [
    'In the menu at the top of the screen, press “Safari”, then “Settings for This Website…”.',
    'Set “Microphone” to “Allow”.',
    TRY_AGAIN,
  ],
  other: ['Press the icon beside the web address and allow the microphone for this page.', TRY_AGAIN],
} as const;
