// Breaks the code in random places, one at a time, and counts how many of these mutations the tests detect:
// node scripts/mutate.ts [--places=40] [--seed=1] [--in=src/features/feedback]
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { createRandomGenerator } from '#testing/random.ts';

type Mutation = { file: string; from: number; to: number; replacement: string };

const { values } = parseArgs({
  options: {
    places: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src' },
  },
});

const FILES = ['src/**/server/**/*.ts', 'src/**/web/**/*{reducer,state,store}.ts'];

const OPPOSITES: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '>=',
  [ts.SyntaxKind.LessThanEqualsToken]: '>',
  [ts.SyntaxKind.GreaterThanToken]: '<=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '<',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
};

function listMutations(file: string): Mutation[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const replace = (node: ts.Node, replacement: string) =>
    found.push({ file, from: node.getStart(), to: node.getEnd(), replacement });
  const visit = (node: ts.Node) => {
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, `!(${condition.getText()})`);
    } else if (ts.isBinaryExpression(node)) {
      const opposite = OPPOSITES[node.operatorToken.kind];
      if (opposite) replace(node.operatorToken, opposite);
    } else if (ts.isExpressionStatement(node) && !/\blog\b/.test(node.getText())) {
      // Replaces the statement with a semicolon, which is also valid as the whole body of an `if`.
      replace(node, ';');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the folders whose tests should detect a mutation of this file. */
function findTests(file: string) {
  const [, layer, name] = file.split('/');
  if (layer === 'features') return [`src/features/${name}/`];
  return layer === 'web' ? ['src/web/'] : ['src/server/', 'src/app/server/'];
}

function doTestsPass(tests: string[]) {
  const projects = ['unit', 'http'].flatMap((name) => ['--project', name]);
  const args = ['run', ...projects, '--bail=1', '--reporter=dot', ...tests];
  const { status } = spawnSync('node_modules/.bin/vitest', args, { stdio: 'ignore', timeout: 600_000 });
  return status === 0;
}

function isDetected({ file, from, to, replacement }: Mutation) {
  const original = readFileSync(file, 'utf8');
  try {
    writeFileSync(file, original.slice(0, from) + replacement + original.slice(to));
    return !doTestsPass(findTests(file));
  } finally {
    writeFileSync(file, original);
  }
}

// Ctrl+C also ends the running tests. Then the file is restored, and this process exits before the next
// mutation.
let isStopped = false;
process.on('SIGINT', () => (isStopped = true));

const random = createRandomGenerator(values.seed);
const all = globSync(FILES)
  .filter((file) => file.startsWith(values.in) && !file.endsWith('.test.ts'))
  .toSorted()
  .flatMap(listMutations);
const places = all
  .map((mutation) => ({ mutation, order: random.next() }))
  .toSorted((a, b) => a.order - b.order)
  .slice(0, Number(values.places));

for (const tests of new Set(places.map(({ mutation }) => findTests(mutation.file).join(' '))))
  if (!doTestsPass(tests.split(' '))) throw new Error(`Fails without a break: ${tests}`);
let noticed = 0;
let tried = 0;
for (const { mutation } of places) {
  const { file, from, to, replacement } = mutation;
  const text = readFileSync(file, 'utf8');
  const place = `${file}:${text.slice(0, from).split('\n').length}`;
  const isSeen = isDetected(mutation);
  tried += 1;
  noticed += Number(isSeen);
  const [firstLine] = text.slice(from, to).split('\n');
  console.log(`${isSeen ? 'noticed  ' : 'UNNOTICED'} ${place}  ${firstLine} → ${replacement}`);
  await new Promise(setImmediate); // Lets the signal of a Ctrl+C arrive.
  if (isStopped) break;
}
console.log(
  `\n${noticed} of ${tried} breaks noticed (seed ${values.seed}, ${all.length} places to choose from)`,
);
