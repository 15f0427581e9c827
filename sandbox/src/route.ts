import type * as z from 'zod'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import type { Form } from './form-body.ts'
import { parseParams } from './params.ts'

/** What a call of the API is given to work with. */
export interface Call<Params = unknown> {
  tx: Tx
  /** What it tells the webhook is caused by this. */
  cause: Cause
  /** The `:id` of its path, and the `:inner` id of something within that. */
  id: string
  inner: string
  params: Params
  /** A publishable key is in every browser's hands: it shows and confirms a payment whose secret it knows. */
  key: 'secret' | 'publishable'
  /** The connected account in whose name it is made. */
  account: string | null
  publicUrl: string
}

/** An answer other than 200, whose effects stand all the same. */
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
  /** Checks the parameters, and gives what is then to be done. */
  prepare(form: Form): (call: CallContext) => Promise<object | Reply>
}

interface RouteOptions {
  /** Whether a browser may call it with a publishable key. */
  publishable?: boolean
  /** Whether it may be made in the name of a connected account. */
  forConnectedAccounts?: boolean
}

export function route<Schema extends z.ZodType>(
  method: Route['method'],
  path: string,
  schema: Schema,
  run: (call: Call<z.output<Schema>>) => Promise<object | Reply>,
  { publishable = false, forConnectedAccounts = false }: RouteOptions = {},
): Route {
  return {
    method,
    path,
    publishable,
    forConnectedAccounts,
    prepare: (form) => {
      const params = parseParams(schema, form)
      return (call) => run({ ...call, params })
    },
  }
}
