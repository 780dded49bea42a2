import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Access, Endpoint } from '#shared/endpoint.ts';
import type { Caller } from '../auth/sessions.ts';
import type { StagedFile } from '../media/staging.ts';
import type { Page } from '../db/page.ts';

type CallerFor<A extends Access> = A extends 'public' ? Caller | null : Caller;

type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

type FilesOf<E extends Endpoint> =
  E['files'] extends Record<string, unknown> ? { [Name in keyof E['files']]?: StagedFile } : undefined;

/** Input of a handler: the caller is authorized and everything is parsed. */
export type HandlerInput<E extends Endpoint> = {
  caller: CallerFor<E['access']>;
  params: ParsedBy<E['params']>;
  query: ParsedBy<E['query']>;
  body: ParsedBy<E['body']>;
  files: FilesOf<E>;
  bytes: E['bytes'] extends object ? Buffer : undefined;
  /** Aborted when the client disconnects before the response. */
  signal: AbortSignal;
  /** For what only HTTP has: cookies, the client's address, headers. */
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The endpoint's success value, before its schema parses it for sending. */
export type HandlerResult<E extends Endpoint> = E extends { pageSize: number }
  ? PageResult<E>
  : PlainResult<E>;

type PageResult<E extends Endpoint> =
  E['answers'][200] extends z.ZodType<unknown, (infer Row)[]> ? { status: 200; page: Page<Row> } : never;

type PlainResult<E extends Endpoint> = {
  [Status in keyof E['answers'] & number]: {
    status: Status;
    body: E['answers'][Status] extends z.ZodType ? z.input<E['answers'][Status]> : never;
    headers?: Record<string, string>;
  };
}[keyof E['answers'] & number];

/** The response of an endpoint whose bodies are shared by many users. */
export type SharedResult<E extends Endpoint> = {
  /**
   * Identifies the content permanently: any other body has a different version, including bodies for callers with
   * other rights. Null for a response that is only for this caller.
   */
  version: string | null;
  /** Creates the body of this version, or of a later one. */
  make(): Promise<E['answers'][200] extends z.ZodType ? z.input<E['answers'][200]> : never>;
};

/**
 * A handler that writes the response itself returns nothing: awaiting a reply would wait until it has been sent
 * completely.
 */
export type Handler<E extends Endpoint> = (
  call: HandlerInput<E>,
) => Promise<
  E extends { raw: object } ? void : E extends { isShared: true } ? SharedResult<E> : HandlerResult<E>
>;

/** One handler per endpoint of a contract. A missing handler is a type error. */
export type Handlers<C extends Record<string, Endpoint>> = { [Name in keyof C]: Handler<C[Name]> };
