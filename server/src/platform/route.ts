import type { BodyOf, Call, FieldsOf, ParamsOf, QueryOf, ReplyOf } from '@sought/contract/call'
import type { Timestamp } from '@sought/contract/fields'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type FieldIssue, refuse } from './errors.ts'
import { replySchema } from './reply-schema.ts'
import type { User } from './session.ts'
import { readUpload, type UploadedFile } from './upload.ts'

/** What a handler is given: the validated parts of the request, and who sends it. */
export interface Handling<C extends Call> {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  /** What a call with an upload was sent: the file, whole, and the fields beside it. */
  file: C['upload'] extends object ? UploadedFile : undefined
  fields: FieldsOf<C>
  user: C['access'] extends 'public' ? User | null : User
  request: FastifyRequest
  reply: FastifyReply
}

/** A reply as actions make it: a moment may still be a Date. */
type Sendable<T> = T extends Timestamp
  ? Date | T
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { [Key in keyof T]: Sendable<T[Key]> }
      : T

/** A redirect is answered with the address to go to; streams and files answer through `reply`. */
type Answer<C extends Call> = C['reply'] extends 'redirect'
  ? string
  : C['reply'] extends string
    ? FastifyReply
    : Sendable<ReplyOf<C>>

export interface Route {
  call: Call
  handle(handling: never): unknown
}

/** Joins a declared call to what answers it. */
export function on<const C extends Call>(call: C) {
  return (handle: (handling: Handling<C>) => Answer<C> | Promise<Answer<C>>): Route => ({ call, handle })
}

export interface Gate {
  userOf(request: FastifyRequest, reply: FastifyReply): Promise<User | null>
  isAdmin(user: User): Promise<boolean>
}

/** Registers a call: who may come in, what is valid, what goes out. */
export function register(app: FastifyInstance, gate: Gate, { call, handle }: Route): void {
  const serialise = typeof call.reply === 'string' ? undefined : replySchema(call.reply)
  const answer = (handling: Parts) => {
    if (call.status) handling.reply.code(call.status)
    const answered = handle(handling as never)
    return typeof call.reply === 'string' ? answerRaw(call.reply, handling.reply, answered) : answered
  }
  const letIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const user = await admit(gate, call, request, reply)
    const upload = call.upload && (await readUpload(call.upload, request))
    return answer(partsOf(call, request, reply, user, upload))
  }
  // Most visitors bring no cookie, and about them nothing needs to be asked or waited for.
  const asksNothing = call.access === 'public' && !call.upload
  app.route({
    method: call.method,
    url: call.path,
    config: { allowCrossSite: call.allowCrossSite ?? false },
    ...(serialise && { schema: { response: { [call.status ?? 200]: serialise } } }),
    handler: (request, reply) =>
      asksNothing && request.headers.cookie === undefined
        ? answer(partsOf(call, request, reply, null))
        : letIn(request, reply),
  })
}

async function answerRaw(kind: string, reply: FastifyReply, answered: unknown): Promise<FastifyReply> {
  const address = await answered
  return kind === 'redirect' ? reply.redirect(address as string) : reply
}

type Parts = ReturnType<typeof partsOf>

function partsOf(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User | null,
  upload?: Awaited<ReturnType<typeof readUpload>>,
) {
  return {
    params: validated(call.params, request.params),
    query: validateQuery(call.query, request.query),
    body: validated(call.body, request.body ?? {}),
    file: upload?.file,
    fields: validated(call.upload?.fields, upload?.fields),
    user,
    request,
    reply,
  }
}

async function admit(gate: Gate, call: Call, request: FastifyRequest, reply: FastifyReply) {
  const user = request.headers.cookie === undefined ? null : await gate.userOf(request, reply)
  if (call.access === 'public') return user
  // What is answered to one person must not be kept for another.
  reply.header('cache-control', 'no-store')
  if (!user) throw refuse('signed_out')
  if (call.access === 'admin' && !(await gate.isAdmin(user))) throw refuse('not_admin')
  return user
}

/** More than any form has fields. Without an end, a list of a hundred thousand wrong things is answered by as many words. */
const ISSUES_MAX = 50

/** Schemas ignore names that they do not declare, so without this check `search[]=a` would list everything. */
function validateQuery(schema: z.ZodMiniObject | undefined, query: unknown): unknown {
  if (!schema) return undefined
  const names = Object.keys(query as object).filter((name) => name.includes('['))
  if (names.length > 0) throw refuse('invalid', { issues: names.slice(0, ISSUES_MAX).map(asBracketIssue) })
  return validated(schema, query)
}

function asBracketIssue(name: string): FieldIssue {
  return { path: name.slice(0, name.indexOf('[')), message: 'Must be a single value, without brackets' }
}

function validated(schema: z.ZodMiniObject | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw refuse('invalid', { issues: parsed.error.issues.slice(0, ISSUES_MAX).map(asFieldIssue) })
}

function asFieldIssue(issue: z.core.$ZodIssue): FieldIssue {
  return { path: issue.path.join('.'), message: issue.message }
}
