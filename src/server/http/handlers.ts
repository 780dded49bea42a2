import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { EndpointAccess, Endpoint } from '#shared/endpoint.ts';
import type { Caller } from '../auth/sessions.ts';
import type { StagedFile } from '../media/staging.ts';
import type { RowPage } from '../db/page.ts';

type CallerFor<A extends EndpointAccess> = A extends 'public' ? Caller | null : Caller;

type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

type FilesOf<E extends Endpoint> =
  E['files'] extends Record<string, unknown> ? { [Name in keyof E['files']]?: StagedFile } : undefined;

/** Input of a handler, with an authorized caller and parsed values. */
export type HandlerInput<E extends Endpoint> = {
  caller: CallerFor<E['access']>;
  params: ParsedBy<E['params']>;
  query: ParsedBy<E['query']>;
  body: ParsedBy<E['body']>;
  files: FilesOf<E>;
  bytes: E['bytes'] extends object ? Buffer : undefined;
  /** Aborted when the client disconnects before the response is complete. */
  signal: AbortSignal;
  /** The raw request, only for reading cookies, headers and the client's IP address. */
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Successful result of a handler, before the contract's schema parses it for sending. */
export type HandlerResult<E extends Endpoint> = E extends { pageSize: number }
  ? PageResult<E>
  : PlainResult<E>;

type PageResult<E extends Endpoint> =
  E['answers'][200] extends z.ZodType<unknown, (infer Row)[]> ? { status: 200; page: RowPage<Row> } : never;

type PlainResult<E extends Endpoint> = {
  [Status in keyof E['answers'] & number]: {
    status: Status;
    body: E['answers'][Status] extends z.ZodType ? z.input<E['answers'][Status]> : never;
    headers?: Record<string, string>;
  };
}[keyof E['answers'] & number];

/** The response of an endpoint whose bodies are shared by many users. */
export type SharedHandlerResult<E extends Endpoint> = {
  /**
   * Identifies the body: two different bodies never have the same version, even if they differ only because of
   * the callers' access. Null if the response is only for this caller.
   */
  version: string | null;
  /** Creates the body of this version, or of a newer one. */
  make(): Promise<E['answers'][200] extends z.ZodType ? z.input<E['answers'][200]> : never>;
};

/**
 * Handler of an endpoint. A raw endpoint's handler writes the response itself and returns nothing, because
 * awaiting a Fastify reply would wait until it has been sent completely.
 */
export type Handler<E extends Endpoint> = (
  call: HandlerInput<E>,
) => Promise<
  E extends { raw: object } ? void : E extends { isShared: true } ? SharedHandlerResult<E> : HandlerResult<E>
>;

/** One handler per endpoint of a contract. A missing handler is a type error. */
export type Handlers<C extends Record<string, Endpoint>> = { [Name in keyof C]: Handler<C[Name]> };
