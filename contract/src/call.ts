import type * as z from 'zod/mini'
import type { RefusalCode } from './refusals.ts'

/** Who may call: anyone, somebody signed in, or an admin. There is no default: a call says it. */
export type Access = 'public' | 'user' | 'admin'

/** What a call answers when it is not JSON: another address, the bytes of a file, or a stream of events. */
type RawReply = 'redirect' | 'file' | 'events'

/** A multipart body: one file a request, and the text fields beside it. */
export interface Upload {
  field: string
  maxBytes: number
  fields?: z.ZodMiniObject
}

interface CallSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  access: Access
  /** One line for the API page. */
  summary: string
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniObject
  upload?: Upload
  /** Mail programs and other sites may send it too, with a body of any kind, which nobody reads: it carries its own proof. */
  allowCrossSite?: true
  reply: z.ZodMiniType | RawReply
  status?: 200 | 201
  /** What it can refuse beyond what its access and schemas already imply. */
  refuses?: readonly RefusalCode[]
}

export type Call = CallSpec

/** Declares a call. The server's handler, the browser's client, the cache key and the API page all read it. */
export function call<const Spec extends CallSpec>(spec: Spec): Spec {
  return spec
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined
type Given<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined
type PartOf<C extends Call, Part extends keyof Call> = Part extends keyof C ? C[Part] : undefined

/** What a handler receives, after validation. */
export type ParamsOf<C extends Call> = Parsed<PartOf<C, 'params'>>
export type QueryOf<C extends Call> = Parsed<PartOf<C, 'query'>>
export type BodyOf<C extends Call> = Parsed<PartOf<C, 'body'>>

/** The text fields beside an uploaded file, after validation. */
export type FieldsOf<C extends Call> = C['upload'] extends { fields: infer Schema }
  ? Parsed<Schema>
  : undefined

/** What a caller gives: the parts that the call declares, and no others. */
export type InputOf<C extends Call> = {
  [Part in 'params' | 'query' | 'body' as C[Part] extends z.ZodMiniType ? Part : never]: Given<C[Part]>
}

/** What a caller gets back. */
export type ReplyOf<C extends Call> = C['reply'] extends z.ZodMiniType ? z.output<C['reply']> : undefined

/** Puts params into a path: ('/api/offers/:id', { id: 7 }) gives '/api/offers/7'. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
