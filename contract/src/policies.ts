import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Done, Id, Timestamp, text } from './fields.ts'

/** The policies whose texts an operator can replace. */
export const POLICIES = ['terms_of_service', 'privacy_policy', 'refund_policy', 'dispute_resolution'] as const
export type Policy = (typeof POLICIES)[number]

/** Those that users must have accepted in the version in force before they post, offer or pay. */
export const CONSENT_POLICIES = ['terms_of_service', 'privacy_policy'] as const satisfies readonly Policy[]

const POLICY_TEXT_MAX_LENGTH = 100_000

const PolicyVersion = z.object({
  policy: z.enum(POLICIES),
  version: Id,
  /** In the subset of Markdown that policy pages show. */
  text: z.string(),
  effectiveFrom: Timestamp,
  createdBy: z.nullable(PublicUser),
  createdAt: Timestamp,
})

const onPolicy = { params: z.object({ policy: z.enum(POLICIES) }) }

export const getPolicy = call({
  ...onPolicy,
  method: 'GET',
  path: '/api/policies/:policy',
  access: 'public',
  summary: 'Gets the version of a policy that is in force. Version 0 is the built-in text',
  reply: z.object({
    policy: z.enum(POLICIES),
    version: z.int(),
    effectiveFrom: z.nullable(Timestamp),
    /** Null for the built-in text. */
    text: z.nullable(z.string()),
  }),
})

export const listPolicies = call({
  method: 'GET',
  path: '/api/admin/policies',
  access: 'admin',
  summary: 'Lists all versions of the policies, the newest first',
  reply: z.array(PolicyVersion),
})

export const publishPolicy = call({
  ...onPolicy,
  method: 'POST',
  path: '/api/admin/policies/:policy',
  access: 'admin',
  confirmed: true,
  summary: 'Adds a version of a policy, in force from a time that is not in the past',
  body: z.object({
    text: text(POLICY_TEXT_MAX_LENGTH),
    /** Default: now. */
    effectiveFrom: z.optional(z.iso.datetime({ offset: true })),
  }),
  reply: PolicyVersion,
  status: 201,
})

export const acceptPolicy = call({
  method: 'POST',
  path: '/api/user/policies/accept',
  access: 'user',
  summary: 'Records that the signed-in user accepts the version of a policy that is in force',
  body: z.object({ policy: z.enum(POLICIES), version: Id }),
  reply: Done,
  refuses: ['policy_not_in_force'],
})
