import fastJson from 'fast-json-stringify'
import * as z from 'zod/mini'

/**
 * The JSON Schema that is compiled into a serializer. It writes only declared fields, so that a reply cannot
 * leak a column by mistake.
 *
 * `anyOf` with null would make the serializer try each branch on every value; `nullable` is a single check.
 */
export function replySchema(reply: z.ZodMiniType): Record<string, unknown> {
  return z.toJSONSchema(reply, {
    io: 'output',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      const value = jsonSchema.anyOf?.find((branch) => typeof branch === 'object' && branch.type !== 'null')
      if (jsonSchema.anyOf?.length !== 2 || typeof value !== 'object') return
      if (!jsonSchema.anyOf.some((branch) => typeof branch === 'object' && branch.type === 'null')) return
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, value, { nullable: true })
    },
  })
}

type Serialize = (reply: unknown) => string

const compiled = new WeakMap<z.ZodMiniType, { schema: Record<string, unknown>; serialize: Serialize }>()

/** Compiling is slow. It happens once per process, because tests and the demo build many servers. */
export function compileReply(reply: z.ZodMiniType) {
  const known = compiled.get(reply)
  if (known) return known
  const schema = replySchema(reply)
  const made = { schema, serialize: fastJson(schema) }
  compiled.set(reply, made)
  return made
}
