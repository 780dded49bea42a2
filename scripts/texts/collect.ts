import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

export type SourceText = {
  /** Repository path, such as `src/features/home/web/home-page.tsx`. */
  file: string;
  line: number;
  /** The text as a reader sees it, with every value as `{name}`. */
  text: string;
};

const SKIPPED =
  /\.(test|fixture|d)\.tsx?$|^src\/(testing|cli\/demo)\/|\/db\/(migrations|schema)|\/(metrics|open-api|s3)\b/;

/** Attributes and properties whose strings never reach a reader. */
const SILENT = new Set(
  'className class type rel role href to id htmlFor viewBox d points fill stroke transform summary operationId media method path key queryKey tag style encType autoComplete inputMode accept target'.split(
    ' ',
  ),
);

/** Functions whose arguments are for engineers. */
const SILENT_CALLS =
  /^(sql|Error|TypeError|RangeError|expect|querySelector|querySelectorAll|matches|closest|addEventListener|removeEventListener|dispatchEvent|getItem|setItem|removeItem|clsx|cx|cn|RegExp|URL|import|matchMedia|createElement|setAttribute|getAttribute|execute|query|raw|debug|addColorStop|describe|createApiQuery|call|prefetch|counter|gauge|histogram)$/;

/** Returns every text in the sources that a person may read, in the order of files and lines. */
export function collectTexts(root: string): SourceText[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.split('\\').join(posix.sep))
    .filter((file) => !SKIPPED.test(file))
    .sort()
    .flatMap((file) => extractTexts(file, readFileSync(join(root, file), 'utf8')));
}

/** Returns the texts of one source file. */
export function extractTexts(file: string, source: string): SourceText[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const texts: SourceText[] = [];
  const add = (node: ts.Node, text: string) => {
    const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    texts.push({ file, line, text });
  };
  const visit = (node: ts.Node): void => {
    if (isSilent(node)) return;
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const text = node.children.some(isJsxWord) ? collapse(renderJsx(node)) : '';
      if (text) {
        add(node, text);
        // Continues with the element's attributes and expressions, which may contain further texts. Its own
        // words have just been collected.
        if (ts.isJsxElement(node)) visit(node.openingElement.attributes);
        visitInside(node);
        return;
      }
    }
    if (ts.isStringLiteralLike(node) && isReadable(node.text)) add(node, node.text);
    else if (ts.isTemplateExpression(node) && isReadable(renderTemplate(node)))
      add(node, renderTemplate(node));
    ts.forEachChild(node, visit);
  };
  /**
   * Visits the parts that {@link renderJsx} leaves out or renders as a placeholder: attributes and
   * expressions.
   */
  const visitInside = (node: ts.JsxElement | ts.JsxFragment): void => {
    for (const child of node.children) {
      if (ts.isJsxExpression(child)) visit(child);
      else if (ts.isJsxSelfClosingElement(child)) visit(child);
      else if (ts.isJsxElement(child)) {
        visit(child.openingElement.attributes);
        visitInside(child);
      } else if (ts.isJsxFragment(child)) visitInside(child);
    }
  };
  visit(parsed);
  return texts;
}

const isJsxWord = (node: ts.Node) => ts.isJsxText(node) && /\p{L}/u.test(node.text);

function renderJsx(node: ts.JsxElement | ts.JsxFragment): string {
  return node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return renderJsx(child);
      if (!ts.isJsxExpression(child) || !child.expression) return '';
      if (ts.isStringLiteralLike(child.expression)) return child.expression.text;
      return `{${getShortName(child.expression)}}`;
    })
    .join('');
}

function renderTemplate(node: ts.TemplateExpression): string {
  return (
    node.head.text +
    node.templateSpans.map((span) => `{${getShortName(span.expression)}}${span.literal.text}`).join('')
  );
}

/** Returns a short name for a value: `melody.title` becomes `title`, and other expressions become `…`. */
function getShortName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  if (ts.isCallExpression(expression)) return getShortName(expression.expression);
  return '…';
}

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Returns whether a string looks like text that people read: a capitalized word or several words, but not a
 * key, path or class.
 */
function isReadable(text: string): boolean {
  if (!/\p{L}{2}/u.test(text.replaceAll(/\{[^}]*\}/g, ''))) return false;
  if (/^(GET|POST|PUT|PATCH|DELETE) \/|^[^ ]*[/=_][^ ]*$|^\{[^ ]*\}$|^[a-z]+[A-Z]\w*$/.test(text))
    return false;
  if (/^[\w.\-/:#@*[\]()=,;&|<>+~]+$/.test(text) && !/^[A-Z][a-z]+[.!?…]?$/.test(text)) return false;
  if (
    /^(application|audio|image|video|text|font)\/|^(max-age|no-|private|public|attachment|default-src|bytes )/.test(
      text,
    )
  )
    return false;
  if (
    /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN|COMMIT|WHERE|LISTEN|NOTIFY)\b [A-Za-z(*]/.test(
      text,
    )
  )
    return false;
  if (
    /^[a-z][\w-]*(:[\w-]+|\[[^\]]*\])?( [a-z!-][\w:/.[\]()%&>=,'"_+*-]*)+$/.test(text) &&
    /[-:[]/.test(text)
  )
    return false;
  return true;
}

function isSilent(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isJsxAttribute(node) && ts.isIdentifier(node.name)) {
    return (
      SILENT.has(node.name.text) ||
      node.name.text === 'name' ||
      node.name.text.startsWith('data') ||
      node.name.text.endsWith('ClassName')
    );
  }
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) return SILENT.has(node.name.text);
  if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) {
    return /^[A-Z-]/.test(node.name.text) && node.name.text.includes('-');
  }
  // Skips the statuses of an endpoint, which its contract describes for programmers.
  if (ts.isPropertyAssignment(node) && ts.isNumericLiteral(node.name)) return true;
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return SILENT_CALLS.test(getCallee(node));
  if (ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isBinaryExpression(node)) return /^[!=]==$/.test(node.operatorToken.getText());
  if (ts.isCaseClause(node)) return false;
  return ts.isLiteralTypeNode(node);
}

function getCallee({ expression }: ts.CallExpression | ts.NewExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) {
    return ts.isIdentifier(expression.expression) && expression.expression.text === 'log'
      ? 'debug'
      : expression.name.text;
  }
  return '';
}
