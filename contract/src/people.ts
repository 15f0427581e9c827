import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { PathId, pageLimit, Timestamp, UserId } from './fields.ts'
import { WantedItem } from './requests.ts'

/** A person's page for everybody: nothing private has a field here. */
export const PublicProfile = z.object({
  ...PublicUser.shape,
  ratingCount: z.int(),
  memberSince: Timestamp,
})

const onPerson = { params: z.object({ id: UserId }) }
const paged = { query: z.object({ limit: pageLimit(12, 100), cursor: z.optional(PathId) }) }

export const getPublicProfile = call({
  ...onPerson,
  method: 'GET',
  path: '/api/users/:id',
  access: 'public',
  summary: 'A person as everybody may see them',
  reply: PublicProfile,
  refuses: ['person_not_found'],
})

/** What a buyer said of a seller. */
export const Feedback = z.object({
  paymentId: z.int(),
  rating: z.int(),
  feedback: z.nullable(z.string()),
  itemTitle: z.string(),
  by: PublicUser,
  createdAt: Timestamp,
})

export const listFeedback = call({
  ...onPerson,
  ...paged,
  method: 'GET',
  path: '/api/users/:id/feedback',
  access: 'public',
  summary: 'The feedback a person received, the latest first',
  reply: z.array(Feedback),
  refuses: ['person_not_found'],
})

export const listUserWantedItems = call({
  ...onPerson,
  ...paged,
  method: 'GET',
  path: '/api/users/:id/wanted-items',
  access: 'public',
  summary: 'The open requests of a person, newest first',
  reply: z.array(WantedItem),
  refuses: ['person_not_found'],
})
