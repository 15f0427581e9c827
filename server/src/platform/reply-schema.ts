import * as z from 'zod/mini'

/**
 * The JSON Schema that Fastify compiles into a serialiser. It writes declared fields and no others,
 * so that a column an action forgot to leave out still cannot leave the server.
 *
 * `anyOf` with null would make the serialiser try each branch on every value; `nullable` is one test.
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
