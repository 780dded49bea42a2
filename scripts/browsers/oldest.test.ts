import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { OLDEST_BROWSERS } from '#web/oldest-browsers.ts';
import { htmlElements, describeUnsupportedBrowsers, cssSelectors } from './compatibility.ts';

const { safari, ios, chrome, edge, firefox } = OLDEST_BROWSERS;
const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');

test.each(['README.md', 'docs/browsers.md'])('%s names the oldest supported browsers', (name) => {
  expect(read(name)).toContain(
    `Safari ${safari} (iOS ${ios}), Chrome and Edge ${chrome}, Firefox ${firefox}, or newer`,
  );
});

describe('unsupported browsers', () => {
  const scripts = [...read('index.html').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => code,
  );
  const probe = scripts.find((code) => code.includes('too-old')) ?? '';

  /**
   * Returns the URL to which the probe redirects a browser with these globals; null if it does not redirect.
   */
  function leads(browser: object) {
    let to: string | null = null;
    const location = { replace: (address: string) => (to = address) };
    runInNewContext(probe, { location, window: browser, ...browser });
    return to;
  }
  const supporting = (selector: boolean, type: boolean) => ({
    CSS: { supports: () => selector },
    HTMLScriptElement: { supports: () => type },
  });

  test('the page for old browsers has no scripts and names the supported versions', () => {
    const page = read('public/too-old.html').replaceAll(/\s+/g, ' ');
    for (const name of [
      `iOS ${ios}`,
      `Chrome ${chrome}`,
      `Edge ${edge}`,
      `Firefox ${firefox}`,
      `Safari ${safari}`,
    ])
      expect(page).toContain(name);
    expect(page).not.toMatch(/<script|<style| style=| on\w+=/);
    expect(read('public/too-old.css')).not.toMatch(/@layer|@supports|var\(|&|\boklch|:is\(|:where\(|inset:/);
  });

  test('index.html redirects a browser that lacks a feature of the supported versions', () => {
    const since = (kind: unknown, browser: string) =>
      [(kind as { __compat: { support: Record<string, unknown> } }).__compat.support[browser]].flat();
    const nth = cssSelectors['nth-child']?.['of_syntax'];
    const map = htmlElements['script']?.['type']?.['importmap'];
    expect([nth, map].map((each) => describeUnsupportedBrowsers(each!.__compat!))).toEqual(['', '']);
    expect(since(nth, 'chrome')).toMatchObject([{ version_added: chrome }]);
    expect(since(map, 'safari')).toMatchObject([{ version_added: safari }]);
    expect(leads(supporting(true, true))).toBeNull();
    for (const old of [
      supporting(false, true),
      supporting(true, false),
      { CSS: {}, HTMLScriptElement: {} },
      {},
    ])
      expect(leads(old)).toBe('/too-old.html');
  });

  test('the code that redirects old browsers uses only ES5 syntax', () => {
    expect(scripts).not.toHaveLength(0);
    for (const code of [...scripts, read('public/too-old.js')]) expect(newerThanES5(code)).toEqual([]);
    expect(newerThanES5('const a = () => `b`; try {} catch {} c?.d; f(...g)')).toHaveLength(6);
    expect(read('index.html')).toContain('<script nomodule src="/too-old.js"></script>');
    expect(read('public/too-old.js')).toContain("location.replace('/too-old.html')");
  });

  test('index.html links to the page for old browsers if JavaScript is off', () => {
    const said = (read('index.html').match(/<noscript>[\s\S]*?<\/noscript>/g) ?? []).join('\n');
    expect(said).toContain('JavaScript');
    expect(said).toContain('href="/too-old.html"');
  });
});

/** Returns the syntax in this code that a browser from 2014 cannot parse. */
function newerThanES5(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isNewer =
      NEWER.has(node.kind) ||
      (ts.isCatchClause(node) && !node.variableDeclaration) ||
      (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) !== 0);
    if (isNewer) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('inline.js', code, ts.ScriptTarget.Latest, true));
  return found;
}

const NEWER = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateExpression,
  ts.SyntaxKind.SpreadElement,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.ObjectBindingPattern,
  ts.SyntaxKind.ArrayBindingPattern,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.QuestionDotToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AsyncKeyword,
]);
