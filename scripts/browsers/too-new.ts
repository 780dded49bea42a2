import { relative } from 'node:path';
import ts from 'typescript';
import {
  webApis,
  globalHtmlAttributes,
  javascriptBuiltins,
  svgElements,
  htmlElements,
  findCompatStatement,
  describeUnsupportedBrowsers,
  cssProperties,
} from './compatibility.ts';

/** A feature that at least one of the oldest supported browsers lacks. */
export type TooNewFeature = {
  /** Name such as 'AbortSignal.any' or '<img fetchpriority>'. */
  name: string;
  /** Files that use it. */
  files: string[];
  /** The browsers that lack it, each with the version that added it. */
  missing: string;
};

/**
 * Finds features that the browser code uses but some of the oldest supported browsers lack. The compiler
 * resolves each name to a declaration in TypeScript's library, and MDN's data says which browser version added
 * it.
 * @param entries entry points; everything that they import also runs in the browser
 * @returns the features, and the names that MDN does not list
 */
export function findTooNewFeatures(project: string, entries: readonly string[], options: ts.CompilerOptions) {
  const program = ts.createProgram([...entries], options);
  const checker = program.getTypeChecker();
  const found = new Map<string, TooNewFeature>();
  const unknown = new Set<string>();

  for (const file of listImportedFiles(program, entries, options)) visit(file);
  return {
    tooNew: [...found.values()].sort((one, other) => one.name.localeCompare(other.name)),
    unknown: [...unknown].sort(),
  };

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) look(node);
    if (ts.isJsxAttribute(node)) lookAtAttribute(node);
    ts.forEachChild(node, visit);
  }

  function look(node: ts.Identifier) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isTaken =
      ts.isBindingElement(parent) &&
      ts.isObjectBindingPattern(parent.parent) &&
      (parent.propertyName ?? parent.name) === node;
    const from = isMember
      ? checker.getTypeAtLocation(parent.expression)
      : isTaken
        ? checker.getTypeAtLocation(parent.parent)
        : null;
    const symbol = isTaken ? from?.getProperty(node.text) : checker.getSymbolAtLocation(node);
    const [declaration, ...others] = symbol?.declarations ?? [];
    if (!symbol || !declaration || ![declaration, ...others].every(isFromTypeScriptLibrary)) return;
    if (AS_OLD_AS_THEIR_OWNER.test(symbol.name)) return;
    const owner = getOwner(declaration);
    if (owner === null || owner === 'WindowOrWorkerGlobalScope') lookAtGlobal(symbol.name, node);
    else lookAtMember([...(from ? namesOf(from) : []), owner], symbol.name, node);
  }

  function lookAtGlobal(name: string, node: ts.Node) {
    const said = findCompatStatement(
      ...[webApis[name], webApis['Window']?.[name], webApis['EventTarget']?.[name]],
      // Some constructors are listed under their element, such as `Audio` under HTMLAudioElement.
      webApis[`HTML${name}Element`]?.[name],
      ...[
        javascriptBuiltins[name],
        javascriptBuiltins['globals']?.[name],
        javascriptBuiltins['Intl']?.[name],
      ],
    );
    if (said) note(name, said, node);
    else unknown.add(name);
  }

  function lookAtMember(owners: readonly string[], name: string, node: ts.Node) {
    for (const owner of owners.map(toMdnName)) {
      const said = findCompatStatement(...listMdnPlaces(owner, name));
      if (said) return note(`${owner}.${name}`, said, node);
    }
    // Ignores properties of plain objects, such as options or results, because they are not features of a
    // browser.
    if (owners.map(toMdnName).some((owner) => webApis[owner] ?? javascriptBuiltins[owner]))
      unknown.add(`${toMdnName(owners.at(-1)!)}.${name}`);
  }

  function lookAtAttribute({ name, parent }: ts.JsxAttribute) {
    const tag = parent.parent.tagName.getText();
    if (!/^[a-z]/.test(tag) || !ts.isIdentifier(name)) return;
    const attribute = name.text.toLowerCase();
    const said = findCompatStatement(
      htmlElements[tag]?.[attribute],
      globalHtmlAttributes[attribute],
      svgElements[tag]?.[attribute],
    );
    if (said) note(`<${tag} ${attribute}>`, said, name);
  }

  function note(name: string, said: Parameters<typeof describeUnsupportedBrowsers>[0], node: ts.Node) {
    const missing = describeUnsupportedBrowsers(said);
    if (missing === '') return;
    const file = relative(project, node.getSourceFile().fileName);
    const files = found.get(name)?.files ?? [];
    found.set(name, { name, missing, files: files.includes(file) ? files : [...files, file] });
  }

  /** Returns the names of a type and of its base types, nearest first. */
  function namesOf(type: ts.Type, seen = new Set<ts.Type>()): string[] {
    if (seen.has(type)) return [];
    seen.add(type);
    if (type.isUnionOrIntersection()) return type.types.flatMap((each) => namesOf(each, seen));
    const apparent = checker.getApparentType(type);
    const generic = (apparent as ts.TypeReference).target as ts.InterfaceType | undefined;
    const declared = apparent.isClassOrInterface() ? apparent : generic;
    const bases = declared?.isClassOrInterface() ? checker.getBaseTypes(declared) : [];
    const name = apparent.getSymbol()?.name;
    return [...(name ? [name] : []), ...bases.flatMap((base) => namesOf(base, seen))];
  }
}

/**
 * Members that MDN does not list: constants, `prototype`, and the index signature to which `dataset.x`
 * resolves.
 */
const AS_OLD_AS_THEIR_OWNER = /^([A-Z_]+|prototype|__index)$/;

/** Returns the entries of MDN's data that may describe a member. */
function listMdnPlaces(owner: string, name: string) {
  const ofWeb = webApis[owner];
  const event = /^on[a-z]/.test(name) ? `${name.slice(2)}_event` : undefined;
  return [
    ...[ofWeb?.[name], ofWeb?.[`${name}_static`], event === undefined ? undefined : ofWeb?.[event]],
    ...[javascriptBuiltins[owner]?.[name], javascriptBuiltins['Intl']?.[owner]?.[name]],
    owner.startsWith('CSSStyle') ? cssProperties[toKebabCase(name)] : undefined,
  ];
}

/** Converts TypeScript's name of an interface to MDN's name. */
const toMdnName = (owner: string) =>
  owner
    .replace(/^Readonly(Array|Map|Set)$/, '$1')
    .replace(/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array|^Float(?:32|64)Array/, 'TypedArray')
    .replace(/Constructor$/, '')
    .replace(/^(?:Callable|Newable)Function$/, 'Function')
    .replace(/^NavigatorLocks$/, 'Navigator');

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isFromTypeScriptLibrary = (declaration: ts.Declaration) =>
  /typescript\/lib\/lib\./.test(declaration.getSourceFile().fileName);

/** Returns the interface that declares a member; null for a global name. */
function getOwner({ parent }: ts.Declaration): string | null {
  if (ts.isInterfaceDeclaration(parent)) return parent.name.text;
  const isStatics = ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent);
  return isStatics ? parent.parent.name.getText() : null;
}

/** Returns the entry points and all files whose values they import, statically or on demand. */
function listImportedFiles(
  program: ts.Program,
  entries: readonly string[],
  options: ts.CompilerOptions,
): ts.SourceFile[] {
  const files = new Set(entries.flatMap((path) => program.getSourceFile(path) ?? []));
  for (const file of files) {
    const follow = (specifier: ts.Expression | undefined) => {
      if (!specifier || !ts.isStringLiteral(specifier)) return;
      const name = specifier.text.replace(/\?.*/, '');
      const { resolvedModule } = ts.resolveModuleName(name, file.fileName, options, ts.sys);
      if (!resolvedModule || resolvedModule.isExternalLibraryImport) return;
      const imported = program.getSourceFile(resolvedModule.resolvedFileName);
      if (imported) files.add(imported);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
        follow(node.moduleSpecifier);
      if (ts.isExportDeclaration(node) && !node.isTypeOnly) follow(node.moduleSpecifier);
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
        follow(node.arguments[0]);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...files];
}
