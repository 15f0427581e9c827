import type * as z from 'zod/mini'
import type { RefusalCode } from './refusals.ts'

/** The roles of the desk. Admins have access to all of it. */
export const STAFF_ROLES = ['admin', 'moderator', 'finance'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Who may make the call. There is no default, so every call has to declare it. */
export type Access = 'public' | 'user' | StaffRole

/** The subjects that calls read and change. */
export type Subject =
  | 'account'
  | 'addresses'
  | 'blocks'
  | 'disputes'
  | 'exports'
  | 'first-steps'
  | 'goodwill'
  | 'market'
  | 'messages'
  | 'moderation'
  | 'notifications'
  | 'offers'
  | 'payments'
  | 'payout-methods'
  | 'debts'
  | 'payouts'
  | 'policies'
  | 'refunds'
  | 'replies'
  | 'requests'
  | 'reviews'
  | 'saved-searches'
  | 'security'
  | 'settings'
  | 'tickets'

/** Replies that are not JSON. */
type RawReply = 'redirect' | 'file' | 'events'

/** A multipart body with one file and optional text fields. */
export interface Upload {
  field: string
  maxBytes: number
  fields?: z.ZodMiniObject
  /** The file may be omitted. Then the fields may also be sent as JSON. */
  optional?: true
}

interface CallSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  access: Access
  /** For reads: their subjects. A read is refetched after a call that changes one of them. */
  about?: readonly Subject[]
  /** For other calls: the subjects that they change for the caller. Other users are notified by events (events.ts). */
  changes?: readonly Subject[]
  /**
   * How long the cached reply stays fresh if no call changes its subjects: until the next screen opens, or a number of
   * milliseconds. By default it stays fresh forever.
   */
  fresh?: 'on open' | number
  /** One line for the API page, without a full stop. */
  summary: string
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniObject
  upload?: Upload
  /**
   * Accepts any body, and requests from other sites and email programs. The signed token in the query authorises the
   * call.
   */
  allowCrossSite?: true
  /**
   * Never compresses the reply. It contains texts of several users, each of whom can make the reader's browser load
   * it again. The length of the compressed reply could then reveal a secret in it (ADR 56).
   */
  uncompressed?: true
  /** Suspended users may make this call. Reading is always allowed. */
  allowedIfSuspended?: true
  /** Everyone may make this call while the market is read-only or closed for maintenance (ADR 82). */
  allowedInEveryMode?: true
  /** The user must have confirmed their identity in the last ten minutes (`confirmIdentity`). */
  confirmed?: true
  reply: z.ZodMiniType | RawReply
  status?: 200 | 201
  /** Refusals in addition to those that follow from access and schemas. */
  refuses?: readonly RefusalCode[]
}

export type Call = CallSpec

/** Declares a call, for the server's handler, the browser's client and cache keys, and the API page. */
export function call<const Spec extends CallSpec>(spec: Spec): Spec {
  return spec
}

/** Like `call`, for a module whose calls share the same subjects. A call can declare others. */
export function callsOf({ subjects, fresh }: { subjects: readonly Subject[]; fresh?: 'on open' }) {
  const read = { about: subjects, ...(fresh && { fresh }) }
  const defaultsOf = ({ method, reply }: CallSpec) => {
    if (method !== 'GET') return { changes: subjects }
    return typeof reply === 'string' ? {} : read
  }
  return <const Spec extends CallSpec>(spec: Spec): Spec => call({ ...defaultsOf(spec), ...spec })
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined
type InputType<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined
type PartOf<C extends Call, Part extends keyof Call> = Part extends keyof C ? C[Part] : undefined

/** The validated parts that a handler receives. */
export type ParamsOf<C extends Call> = Parsed<PartOf<C, 'params'>>
export type QueryOf<C extends Call> = Parsed<PartOf<C, 'query'>>
export type BodyOf<C extends Call> = Parsed<PartOf<C, 'body'>>

/** The text fields of an upload after validation. */
export type FieldsOf<C extends Call> = C['upload'] extends { fields: infer Schema }
  ? Parsed<Schema>
  : undefined

/** The input of a caller: only the parts that the call declares. */
export type InputOf<C extends Call> = {
  [Part in 'params' | 'query' | 'body' as C[Part] extends z.ZodMiniType ? Part : never]: InputType<C[Part]>
}

/** The reply to a caller. */
export type ReplyOf<C extends Call> = C['reply'] extends z.ZodMiniType ? z.output<C['reply']> : undefined

/** fillPath('/api/offers/:id', { id: 7 }) returns '/api/offers/7'. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
