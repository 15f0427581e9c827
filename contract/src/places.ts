import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { text } from './fields.ts'

const call = callsOf({ subjects: [] })

const Place = z.object({
  /** With its region and country, such as 'Paris, Texas, United States'. */
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})

export const listPlaces = call({
  method: 'GET',
  path: '/api/places',
  access: 'public',
  summary: 'Lists places whose name starts with a text, the largest first',
  query: z.object({ search: text(100) }),
  reply: z.array(Place),
})
