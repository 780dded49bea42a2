import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { placeInS3, s3SettingsFor } from '../../../testing/s3.ts';
import { keepsThePromises } from '../../../testing/store-contract.ts';

describe.each([
  ['a prefix', () => `songs/${randomUUID()}`],
  ['odd characters in its prefix', () => `odd +%20 é'"<&>#?=;:@,།/ ${randomUUID()}`],
])('with %s, an S3 store', (_, prefix) => keepsThePromises(() => placeInS3(s3SettingsFor(prefix()))));
