import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { api } from '../api.ts';
import { projectFolder } from '#server/config/project.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { createTone } from '#testing/tone.ts';

// Tests the OpenAPI document as other programs receive it, and the instructions in docs/api.md.

const app = await startTestApp();
const document = (await app.visitor().get('/api/openapi.json')).body as Document;
const folder = createTemporaryFolderPerTest();
const page = readFileSync(join(projectFolder, 'docs', 'api.md'), 'utf8');
const [, curlLines = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? [];
const [, clientProgram = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];

type Schema = { $ref?: string; type?: string; items?: Schema; anyOf?: Schema[] };
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  operationId: string;
  tags: string[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: object } };

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test('the OpenAPI document passes Redocly’s recommended rules, except for redirects', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  // Browsers open these two endpoints directly. They redirect to a page, and have no other successful
  // response.
  expect(found).toEqual([
    'operation-2xx-response #/paths/~1api~1login/get/responses',
    'operation-2xx-response #/paths/~1api~1logout/get/responses',
  ]);
});

test('the OpenAPI document describes what the schemas accept', () => {
  const { requestBody, responses } = document.paths['/api/recordings']!['post']!;
  expect(Object.keys(requestBody!.content!)).toEqual(['multipart/form-data']);
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '400', '401', '403', '413', '415']));
  expect(document.components.schemas).toMatchObject({
    RecordingsSubmitBody: { required: ['title'], properties: { audio: { format: 'binary' } } },
    Recording: { properties: { createdAt: { type: 'string', format: 'date-time' } } },
  });
  expect(document.paths['/api/feedback/{id}/status']!['patch']).toMatchObject({
    parameters: [{ name: 'id', in: 'path' }, {}],
  });
});

test('each operation has a unique name, taken from its endpoint in the contracts', () => {
  const names = Object.entries(api).flatMap(([feature, endpoints]) =>
    Object.keys(endpoints).map((name) => [feature, feature + name[0]!.toUpperCase() + name.slice(1)]),
  );
  expect(operations.map(({ operationId, tags: [tag] }) => [tag, operationId]).sort()).toEqual(names.sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('every request and response body is a named schema that is defined once', () => {
  const schemasOf = ({ content = {} }: Content) =>
    Object.values(content).flatMap(({ schema }) => schema ?? []);
  const schemas = operations
    .flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)])
    .flatMap(schemasOf)
    .map(({ type, items, ...schema }) => (type === 'array' ? items : { type, ...schema }))
    .flatMap((schema) => schema?.anyOf ?? [schema]);
  expect(schemas.length).toBeGreaterThan(operations.length);
  // Expects that only raw bytes have no named schema.
  expect(schemas.filter((schema) => !schema?.$ref).map((schema) => schema?.type)).toEqual(['string']);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([
      'Error',
      'Feedback',
      'Mark',
      'Melody',
      'Recording',
      'RecordingsSubmitBody',
      'User',
    ]),
  );
});

/** Creates a student who has sent nothing yet, and a teacher. */
async function community() {
  const [student, teacher] = [await app.make.student(), await app.make.teacher()];
  const answer = async (recordingId: number) => {
    const sent = await (
      await app.as(teacher)
    ).form('/api/feedback', { recordingId, writtenFeedback: 'Lower.' });
    expect(sent.status).toBe(201);
  };
  return { student, teacher, answer };
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('the curl commands in docs/api.md send a recording and read the feedback', async () => {
  const { student, teacher } = await community();
  writeFileSync(join(folder(), 'song.wav'), createTone(2));
  await promisify(execFile)(
    'sh',
    [
      '-euc',
      curlLines.replace('"tashi"', `"${student.username}"`).replace('"khandro"', `"${teacher.username}"`),
    ],
    {
      cwd: folder(),
      env: {
        PATH: process.env['PATH'],
        URL: app.url,
        STUDENT_PASSWORD: TEST_PASSWORD,
        TEACHER_PASSWORD: TEST_PASSWORD,
      },
    },
  );
  const read = (file: string) => JSON.parse(readFileSync(join(folder(), file), 'utf8')) as unknown;
  expect(read('recording.json')).toMatchObject({ title: 'Refuge, second line', duration: 2 });
  expect(read('feedback.json')).toMatchObject([
    { writtenFeedback: 'Lower the last note.', recording: { title: 'Refuge, second line' } },
  ]);
});

test('the generated client in docs/api.md compiles and sends a recording', async () => {
  const { student, answer } = await community();
  writeFileSync(join(folder(), 'package.json'), '{ "type": "module" }');
  symlinkSync(join(projectFolder, 'node_modules'), join(folder(), 'node_modules'));
  writeFileSync(join(folder(), 'yangchen.ts'), astToString(await openapiTypes(JSON.stringify(document))));
  writeFileSync(join(folder(), 'client.ts'), clientProgram);
  expect(compile(join(folder(), 'client.ts'))).toEqual([]);

  const { submitAndRead } = (await import(pathToFileURL(join(folder(), 'client.js')).href)) as {
    submitAndRead(
      ...args: [string, string, string, Blob]
    ): Promise<{ recording: { id: number; title: string }; feedback: { recordingId: number }[] }>;
  };
  const run = () =>
    submitAndRead(
      app.url,
      student.username,
      TEST_PASSWORD,
      new Blob([Buffer.from(createTone(1))], { type: 'audio/wav' }),
    );
  const first = await run();
  expect(first).toMatchObject({ recording: { title: 'Refuge, second line' }, feedback: [] });
  await answer(first.recording.id);
  expect((await run()).feedback).toMatchObject([
    { recordingId: first.recording.id, writtenFeedback: 'Lower.' },
  ]);
  await expect(submitAndRead(app.url, student.username, 'wrong', new Blob([]))).rejects.toThrow(
    'Invalid username or password',
  );
});

/** Compiles a file to JavaScript beside it. Returns the compiler's messages; none if it succeeds. */
function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}
