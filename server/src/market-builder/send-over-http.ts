import { type Call, fillPath } from '@sought/contract/call'
import type { Send } from './send.ts'

/** Sends a request, which must succeed, and returns the body of the reply. */
type Request = (method: Call['method'], path: string, body?: object) => Promise<unknown>

/** Makes calls as the person whose session `request` uses. */
export function createHttpSend(request: Request): Send {
  return async (call, { params, body, fields }: { params?: object; body?: object; fields?: object }) =>
    (await request(call.method, fillPath(call.path, { ...params }), body ?? fields)) as never
}
