import type * as z from 'zod'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import type { Form } from './form-body.ts'
import type { Upload } from './multipart.ts'
import { parseParams } from './params.ts'

/** The context of an API call. */
export interface Call<Params = unknown> {
  tx: Tx
  /** The cause of the events that it emits. */
  cause: Cause
  /** The `:id` in the path, and the `:inner` id of a nested object. */
  id: string
  inner: string
  params: Params
  /** Publishable keys are public. They only allow retrieving and confirming a payment, with its client secret. */
  key: 'secret' | 'publishable'
  /** The connected account that the call is made for. */
  account: string | null
  /** The uploaded file, if the route takes one. */
  upload: Upload | null
  publicUrl: string
}

/** A response with a status other than 200 whose changes are committed. */
export class Reply {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    this.status = status
    this.body = body
  }
}

export type CallContext = Omit<Call, 'params'>

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  publishable: boolean
  forConnectedAccounts: boolean
  upload: boolean
  /** Validates the parameters and returns the function that runs the call. */
  prepare(form: Form): (call: CallContext) => Promise<object | Reply>
}

interface RouteOptions {
  /** Whether a publishable key is accepted. */
  publishable?: boolean
  /** Whether the call can be made for a connected account. */
  forConnectedAccounts?: boolean
  /** Whether the body is multipart, with a file. */
  upload?: boolean
}

export function route<Schema extends z.ZodType>(
  method: Route['method'],
  path: string,
  schema: Schema,
  run: (call: Call<z.output<Schema>>) => Promise<object | Reply>,
  { publishable = false, forConnectedAccounts = false, upload = false }: RouteOptions = {},
): Route {
  return {
    method,
    path,
    publishable,
    forConnectedAccounts,
    upload,
    prepare: (form) => {
      const params = parseParams(schema, form)
      return (call) => run({ ...call, params })
    },
  }
}
