import { createRequire } from 'node:module';
import type {
  BrowserName,
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data';
import { OLDEST_BROWSERS } from '#web/oldest-browsers.ts';

// Queries MDN's compatibility tables about the oldest browsers that the pages support.

const { safari, ios, chrome, edge, firefox } = OLDEST_BROWSERS;
const OLDEST: Partial<Record<BrowserName, string>> = {
  ...{ safari, safari_ios: ios },
  ...{ chrome, chrome_android: chrome, edge },
  ...{ firefox, firefox_android: firefox },
};

// Loaded with require, because Vitest would transform its 20 MB into a module.
const bcd = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;

// One of MDN's tables. The table itself exists, but a name that is looked up in it may be missing.
type Folder = Record<string, Identifier | undefined>;
const folder = (place: Identifier | undefined) => (place ?? {}) as Folder;
export const webApis = folder(bcd.api);
export const javascriptBuiltins = folder(bcd.javascript['builtins']);
export const htmlElements = folder(bcd.html['elements']);
export const globalHtmlAttributes = folder(bcd.html['global_attributes']);
export const svgElements = folder(bcd.svg['elements']);
export const cssProperties = folder(bcd.css['properties']);
export const cssSelectors = folder(bcd.css['selectors']);
export const cssAtRules = folder(bcd.css['at-rules']);
export const cssTypes = folder(bcd.css['types']);

/** Returns the compatibility statement of the first identifier that has one; undefined if none has. */
export function findCompatStatement(...places: (Identifier | undefined)[]): CompatStatement | undefined {
  return places.find((place) => place?.__compat)?.__compat;
}

/**
 * Lists the oldest supported browsers that lack a feature, each with the version that added it ('safari 17.2,
 * …'). Returns '' if all have it.
 */
export function describeUnsupportedBrowsers({ support }: CompatStatement): string {
  return Object.entries(OLDEST)
    .flatMap(([browser, version]) => {
      const said = support[browser as BrowserName];
      const statements = said === undefined ? [] : Array.isArray(said) ? said : [said];
      if (statements.length === 0 || statements.some((each) => isSupported(each, version))) return [];
      return [`${browser} ${statements[0]!.version_added}`];
    })
    .join(', ');
}

/**
 * Returns whether a browser version has a feature. Partial support counts as support, because it mostly means a
 * well-known bug.
 */
function isSupported(
  { version_added, version_removed, flags, prefix, alternative_name }: SimpleSupportStatement,
  version: string,
): boolean {
  if (flags || prefix || alternative_name) return false;
  const isFrom = typeof version_added === 'string' && !isNewer(version_added, version);
  const isStill = typeof version_removed !== 'string' || isNewer(version_removed, version);
  return isFrom && isStill;
}

function isNewer(one: string, other: string): boolean {
  if (one === 'preview') return true;
  const [[major = 0, minor = 0], [major2 = 0, minor2 = 0]] = [one, other].map((version) =>
    version.replace('≤', '').split('.').map(Number),
  ) as [number[], number[]];
  return major > major2 || (major === major2 && minor > minor2);
}
