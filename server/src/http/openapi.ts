import type { Call } from '@sought/contract/call'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import * as z from 'zod/mini'

/** The OpenAPI 3.1 document, generated from the contract. */
export function openApiDocument(calls: Record<string, Call>, title: string, publicUrl: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, call] of Object.entries(calls)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: 'All API calls of the marketplace. Calls that require sign-in use the session cookie.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: Object.keys(refusals) },
            message: { type: 'string' },
            issues: {
              type: 'array',
              items: {
                type: 'object',
                properties: { path: { type: 'string' }, message: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  }
}

function operation(name: string, call: Call) {
  return {
    operationId: name,
    summary: call.summary,
    ...(call.access !== 'public' && { security: [{ session: [] }] }),
    parameters: [...parameters('path', call.params), ...parameters('query', call.query)],
    ...requestBody(call),
    responses: { ...success(call), ...failures(call) },
  }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function parameters(place: 'path' | 'query', schema: z.ZodMiniObject | undefined) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }))
}

function requestBody({ body, upload }: Call) {
  if (body) return { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
  if (!upload) return {}
  const fields = upload.fields ? schemaOf(upload.fields, 'input').properties : {}
  const properties = { ...fields, [upload.field]: { type: 'string', format: 'binary' } }
  const json = upload.fields ? schemaOf(upload.fields, 'input') : { type: 'object' }
  return {
    requestBody: {
      content: {
        'multipart/form-data': { schema: { type: 'object', properties } },
        ...(upload.optional && { 'application/json': { schema: json } }),
      },
    },
  }
}

function success({ reply, status = 200 }: Call) {
  switch (reply) {
    case 'redirect':
      return { 302: { description: 'Redirects to another URL' } }
    case 'file':
      return { 200: { description: 'The file', content: { '*/*': {} } } }
    case 'events':
      return { 200: { description: 'A stream of events', content: { 'text/event-stream': {} } } }
    default:
      return {
        [status]: {
          description: 'Done',
          content: { 'application/json': { schema: schemaOf(reply, 'output') } },
        },
      }
  }
}

/** The declared errors of a call, and those implied by its access and schemas. */
export function refusalsOf(call: Call): RefusalCode[] {
  const { method, access, allowedIfSuspended, allowedInEveryMode, confirmed } = call
  const { params, query, body, upload, refuses = [] } = call
  return [
    ...(access === 'public' ? [] : (['signed_out'] as const)),
    ...(access === 'user' && method !== 'GET' && !allowedIfSuspended ? (['suspended'] as const) : []),
    ...(access === 'public' || access === 'user' ? [] : (['not_admin', 'second_factor_required'] as const)),
    ...(confirmed ? (['confirm_identity'] as const) : []),
    ...(params || query || body || upload?.fields ? (['invalid'] as const) : []),
    ...refuses,
    ...(allowedInEveryMode || method === 'GET' ? [] : (['read_only'] as const)),
    ...(allowedInEveryMode ? [] : (['maintenance'] as const)),
  ]
}

function failures(call: Call) {
  const byStatus = Object.groupBy(refusalsOf(call), (code) => refusals[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    ]),
  )
}
