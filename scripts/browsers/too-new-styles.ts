import postcss, { type AtRule, type Container, type Declaration, type Document } from 'postcss';
import type { TooNewFeature } from './too-new.ts';
import {
  cssAtRules,
  findCompatStatement,
  describeUnsupportedBrowsers,
  cssProperties,
  cssSelectors,
  cssTypes,
} from './compatibility.ts';

/** MDN's names for viewport units that account for a browser's bars, and for container units. */
const UNITS = {
  dv: 'viewport_percentage_units_dynamic',
  lv: 'viewport_percentage_units_large',
  sv: 'viewport_percentage_units_small',
  cq: 'container_query_length_units',
} as const;

/**
 * Finds features that a style sheet uses but some of the oldest browsers lack: properties, their values,
 * functions, units, selectors and at-rules. Skips the contents of `@supports`.
 */
export function findTooNewStyles(styles: string): TooNewFeature[] {
  const found = new Map<string, string>();
  const note = (name: string, ...places: Parameters<typeof findCompatStatement>) => {
    const said = findCompatStatement(...places);
    const missing = said ? describeUnsupportedBrowsers(said) : '';
    if (missing !== '') found.set(name, missing);
  };

  postcss.parse(styles).walk((node) => {
    if (isInSupports(node.parent)) return;
    if (node.type === 'atrule') note(`@${node.name}`, cssAtRules[node.name]);
    if (node.type === 'rule') lookAtSelector(node.selector);
    if (node.type === 'decl') lookAtDeclaration(node);
  });
  return [...found]
    .map(([name, missing]) => ({ name, missing, files: ['styles'] }))
    .sort((one, other) => one.name.localeCompare(other.name));

  function lookAtSelector(selector: string) {
    const plain = selector.replaceAll(/\\./g, '');
    // Skips vendor-prefixed selectors, which begin with a hyphen, because browsers from other vendors ignore
    // them.
    for (const [, name = ''] of plain.matchAll(/::?([a-z][a-z-]*)/g)) note(`:${name}`, cssSelectors[name]);
    if (plain.includes('&')) note('nesting', cssSelectors['nesting']);
  }

  function lookAtDeclaration({ prop, value }: Declaration) {
    const property = cssProperties[prop];
    if (!prop.startsWith('-')) note(prop, property);
    const plain = value.replaceAll(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '');
    for (const [, name = ''] of plain.matchAll(/(?<![\w-])([a-z][a-z-]*)(?![\w(-])/g))
      note(`${prop}: ${name}`, property?.[name], property?.[name.replaceAll('-', '_')]);
    for (const [, name = ''] of plain.matchAll(/(?<![\w-])([a-z][a-z0-9-]*)\(/g))
      note(
        `${name}()`,
        property?.[name],
        cssTypes[name],
        ...Object.values(cssTypes).map((kind) => kind?.[name]),
      );
    for (const [, unit = ''] of plain.matchAll(/\d([a-z]{2})(?:h|w|min|max|i|b)\b/g))
      if (unit in UNITS) note(`1${unit}h`, cssTypes['length']?.[UNITS[unit as keyof typeof UNITS]]);
  }
}

function isInSupports(node: Container | Document | undefined): boolean {
  if (!node) return false;
  const isSupports = node.type === 'atrule' && (node as AtRule).name === 'supports';
  return isSupports || isInSupports(node.parent);
}
