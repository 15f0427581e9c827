import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import type * as z from 'zod/mini'

/** Makes a declared call as one person. Throws if it is refused. */
export type Send = <C extends Call>(call: C, input: SentWith<C>) => Promise<ReplyOf<C>>

/** The input of a call. With an upload, also its fields and a file. */
export type SentWith<C extends Call> = Omit<InputOf<C>, 'params'> &
  ParamsOf<InputOf<C>> &
  UploadOf<C['upload']>

type ParamsOf<Input> = Input extends { params: infer Params }
  ? { params: Record<keyof Params, string | number> }
  : unknown

type UploadOf<Upload> = Upload extends { fields: infer Fields }
  ? { fields: Fields extends z.ZodMiniType ? z.input<Fields> : never; file?: SentFile }
  : Upload extends object
    ? { file?: SentFile }
    : unknown

interface SentFile {
  bytes: Buffer
  name: string
}

export interface Person {
  id: string
  send: Send
}
