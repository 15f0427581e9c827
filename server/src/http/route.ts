import type { BodyOf, Call, FieldsOf, ParamsOf, QueryOf, ReplyOf, StaffRole } from '@sought/contract/call'
import type { Timestamp } from '@sought/contract/fields'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type FieldIssue, refuse } from '../core/errors.ts'
import { type ModeReader, requireMode } from './market-mode.ts'
import { compileReply } from './reply-schema.ts'
import type { Actor, User } from './session.ts'
import { readUpload, type UploadedFile } from './upload.ts'

/** The validated parts of the request, and the user who sent it. */
export interface CallContext<C extends Call> {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  /** The uploaded file and the form fields sent with it. */
  file: FileOf<C>
  fields: FieldsOf<C>
  user: C['access'] extends 'public' ? Actor | null : Actor
  request: FastifyRequest
  reply: FastifyReply
}

type FileOf<C extends Call> = C['upload'] extends { optional: true }
  ? UploadedFile | undefined
  : C['upload'] extends object
    ? UploadedFile
    : undefined

/** A reply before serialization, where timestamps may still be Dates. */
type Sendable<T> = T extends Timestamp
  ? Date | T
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { [Key in keyof T]: Sendable<T[Key]> }
      : T

/** For a redirect, the target URL. Streams and files are sent with `reply`. */
export type Answer<C extends Call> = C['reply'] extends 'redirect'
  ? string
  : C['reply'] extends string
    ? FastifyReply
    : Sendable<ReplyOf<C>>

export interface Route {
  call: Call
  handle(context: never): unknown
}

/** Connects a declared call with its handler. */
export function on<const C extends Call>(call: C) {
  return (handle: (context: CallContext<C>) => Answer<C> | Promise<Answer<C>>): Route => ({ call, handle })
}

export interface Gate {
  market: ModeReader
  userOf(request: FastifyRequest, reply: FastifyReply): Promise<Actor | null>
  /** Null for users who are not members of the team. */
  roleOf(user: User): Promise<StaffRole | null>
  now(): Date
  /** Refuses members of the team without a second factor, if they need one. */
  requireSecondFactor(user: User): Promise<void>
  /** Refuses sessions without a recent proof of identity. */
  requireConfirmed(request: FastifyRequest): Promise<void>
  /** Refuses with 429 above the limit. Counted before the body is read. */
  countUpload(user: User, request: FastifyRequest): Promise<void>
  /** Refuses infected files. Those that cannot be scanned now are held back when they are stored. */
  requireClean(file: UploadedFile, user: Actor): Promise<void>
  /** Called after every call that may have written something, so that the user can read it (ADR 73). */
  recordWrite(user: User): Promise<void>
}

/** Registers a call: checks access, validates the request and serializes the reply. */
export function register(app: FastifyInstance, gate: Gate, { call, handle }: Route): void {
  const reply = typeof call.reply === 'string' ? undefined : compileReply(call.reply)
  const answer = (context: Context) => {
    if (call.status) context.reply.code(call.status)
    const answered = handle(context as never)
    return typeof call.reply === 'string' ? answerRaw(call.reply, context.reply, answered) : answered
  }
  const answerAuthenticated = async (request: FastifyRequest, reply: FastifyReply) => {
    const user = await authorise(gate, call, request, reply)
    if (call.upload && user && request.isMultipart()) await gate.countUpload(user, request)
    const upload = call.upload && (await readUpload(call.upload, request))
    const context = contextOf(call, request, reply, user, upload)
    if (upload?.file && user) await gate.requireClean(upload.file, user)
    if (call.method === 'GET' || !user) return answer(context)
    try {
      return await answer(context)
    } finally {
      await gate.recordWrite(user)
    }
  }
  // Most requests are public reads without a cookie, which need no session lookup.
  const needsNoSession = call.access === 'public' && !call.upload
  const answerInMode = (request: FastifyRequest, reply: FastifyReply) =>
    needsNoSession && request.headers.cookie === undefined
      ? answer(contextOf(call, request, reply, null))
      : answerAuthenticated(request, reply)
  const answerIfAllowed = async (request: FastifyRequest, reply: FastifyReply) => {
    await requireModeFor(gate, request, reply)
    return answerInMode(request, reply)
  }
  app.route({
    method: call.method,
    url: call.path,
    config: {
      allowCrossSite: call.allowCrossSite ?? false,
      uncompressed: call.uncompressed ?? false,
      takesLong: call.upload !== undefined || call.reply === 'events',
    },
    ...(reply && {
      schema: { response: { [call.status ?? 200]: reply.schema } },
      serializerCompiler: () => reply.serialize,
    }),
    // Uses no promise in the usual case, because this runs on every request.
    handler: (request, reply) =>
      call.allowedInEveryMode || gate.market.peek()?.mode === 'open'
        ? answerInMode(request, reply)
        : answerIfAllowed(request, reply),
  })
}

/** Refuses a request that the market's mode does not allow this user. */
export function requireModeFor(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return requireMode(gate.market, {
    isRead: request.method === 'GET' || request.method === 'HEAD',
    isAdmin: () => isAdmin(gate, request, reply),
  })
}

interface WithinProcess {
  params?: unknown
  query?: unknown
  body?: unknown
  file?: UploadedFile | undefined
  fields?: unknown
  user: Actor | null
  request: FastifyRequest
  reply: FastifyReply
}

/** Makes a call within the process: without a session, and without checking access. */
export function callWithin({ call, handle }: Route, { query, ...given }: WithinProcess): unknown {
  return handle({
    ...given,
    params: validate(call.params, given.params),
    query: validateQuery(call.query, query ?? {}),
    body: validate(call.body, given.body ?? {}),
    fields: validate(call.upload?.fields, given.fields),
  } as never)
}

/** Answers a public call that is made within the process, as JSON. */
export async function answerWithin(route: Route, given: WithinProcess): Promise<string> {
  const { call } = route
  if (call.access !== 'public' || typeof call.reply === 'string')
    throw new Error(`${call.path} is not public`)
  return compileReply(call.reply).serialize(await callWithin(route, given))
}

async function answerRaw(kind: string, reply: FastifyReply, answered: unknown): Promise<FastifyReply> {
  const url = await answered
  return kind === 'redirect' ? reply.redirect(url as string) : reply
}

type Context = ReturnType<typeof contextOf>

function contextOf(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  user: Actor | null,
  upload?: Awaited<ReturnType<typeof readUpload>>,
) {
  return {
    params: validate(call.params, request.params),
    query: validateQuery(call.query, request.query),
    body: validate(call.body, request.body ?? {}),
    file: upload?.file,
    fields: validate(call.upload?.fields, upload?.fields),
    user,
    request,
    reply,
  }
}

async function isAdmin(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const user = request.headers.cookie === undefined ? null : await gate.userOf(request, reply)
  return user !== null && (await gate.roleOf(user)) === 'admin'
}

async function authorise(gate: Gate, call: Call, request: FastifyRequest, reply: FastifyReply) {
  const user = request.headers.cookie === undefined ? null : await gate.userOf(request, reply)
  if (call.access === 'public') return user
  // Replies to signed-in users must not be cached.
  reply.header('cache-control', 'no-store')
  if (!user) throw refuse('signed_out')
  if (call.access === 'user') refuseSuspended(call, user, gate.now())
  else {
    const role = await gate.roleOf(user)
    if (role !== 'admin' && role !== call.access) throw refuse('not_admin')
    await gate.requireSecondFactor(user)
  }
  if (call.confirmed) await gate.requireConfirmed(request)
  return user
}

/** Reading is always allowed. */
function refuseSuspended(call: Call, { suspendedUntil }: User, now: Date): void {
  if (call.method === 'GET' || call.allowedIfSuspended) return
  if (suspendedUntil !== null && suspendedUntil > now) throw refuse('suspended')
}

/** Schemas ignore names that they do not declare, so without this check `search[]=a` would list everything. */
function validateQuery(schema: z.ZodMiniObject | undefined, query: unknown): unknown {
  if (!schema) return undefined
  const given = query as Record<string, unknown>
  const names = Object.keys(given)
  const issues = [
    ...names.filter((name) => name.includes('[')).map(asBracketIssue),
    ...names.filter((name) => name in schema.shape && Array.isArray(given[name])).map(asRepeatedIssue),
  ]
  if (issues.length > 0) throw refuse('invalid', { issues })
  return validate(schema, given)
}

function asRepeatedIssue(name: string): FieldIssue {
  return { path: name, message: 'Must be given only once' }
}

function asBracketIssue(name: string): FieldIssue {
  return { path: name.slice(0, name.indexOf('[')), message: 'Must be a single value, without brackets' }
}

function validate(schema: z.ZodMiniObject | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw refuse('invalid', { issues: parsed.error.issues.map(asFieldIssue) })
}

/** A message that lists all allowed values can be longer than the rest of the reply. */
const MESSAGE_MAX = 300

function asFieldIssue({ path, message }: z.core.$ZodIssue): FieldIssue {
  const isLong = message.length > MESSAGE_MAX
  return { path: path.join('.'), message: isLong ? `${message.slice(0, MESSAGE_MAX - 1)}…` : message }
}
