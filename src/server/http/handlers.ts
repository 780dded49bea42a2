import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Access, Endpoint } from '#shared/endpoint.ts';
import type { Caller } from '../auth/sessions.ts';
import type { StagedFile } from '../media/staging.ts';
import type { Page } from '../db/page.ts';

type CallerOf<A extends Access> = A extends 'public' ? Caller | null : Caller;

type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

type FilesOf<E extends Endpoint> =
  E['files'] extends Record<string, unknown> ? { [Name in keyof E['files']]?: StagedFile } : undefined;

/** What a handler receives: everything parsed, the caller authorized. */
export type Call<E extends Endpoint> = {
  caller: CallerOf<E['access']>;
  params: ParsedBy<E['params']>;
  query: ParsedBy<E['query']>;
  body: ParsedBy<E['body']>;
  files: FilesOf<E>;
  bytes: E['bytes'] extends object ? Buffer : undefined;
  /** Aborted when the client disconnects before the response. */
  signal: AbortSignal;
  /** For what only HTTP knows: cookies, the client's address, headers. */
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The endpoint's success value, before it is parsed on the way out. */
export type Answer<E extends Endpoint> = E extends { pageSize: number } ? PageAnswer<E> : PlainAnswer<E>;

type PageAnswer<E extends Endpoint> =
  E['answers'][200] extends z.ZodType<unknown, (infer Row)[]> ? { status: 200; page: Page<Row> } : never;

type PlainAnswer<E extends Endpoint> = {
  [Status in keyof E['answers'] & number]: {
    status: Status;
    body: E['answers'][Status] extends z.ZodType ? z.input<E['answers'][Status]> : never;
    headers?: Record<string, string>;
  };
}[keyof E['answers'] & number];

/** The answer of a shared endpoint. */
export type SharedAnswer<E extends Endpoint> = {
  /**
   * Names the content for good: different for whatever else the body may be, for callers with other rights too. Null for
   * an answer that is made for this caller alone.
   */
  version: string | null;
  /** Makes the body that the version names, or a later one. */
  make(): Promise<E['answers'][200] extends z.ZodType ? z.input<E['answers'][200]> : never>;
};

/**
 * A handler that writes the response itself returns nothing: awaiting a reply would wait until all of it has been sent.
 */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<E extends { raw: object } ? void : E extends { isShared: true } ? SharedAnswer<E> : Answer<E>>;

/** One handler per endpoint of a contract; a missing one does not compile. */
export type Handlers<C extends Record<string, Endpoint>> = { [Name in keyof C]: Handler<C[Name]> };
