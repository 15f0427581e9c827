import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { CONSENT_POLICIES, POLICIES } from './constants.ts'
import { Done, Id, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['policies'], fresh: 'on open' })

export const POLICY_TEXT_MAX_LENGTH = 100_000

export const PolicyVersion = z.object({
  policy: z.enum(POLICIES),
  version: Id,
  /** In the subset of Markdown that policy pages show. */
  text: z.string(),
  effectiveFrom: Timestamp,
  createdBy: z.nullable(PublicUser),
  createdAt: Timestamp,
})

export type PolicyVersion = z.output<typeof PolicyVersion>

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

export const NewPolicyVersion = z.object({
  text: text(POLICY_TEXT_MAX_LENGTH),
  /** Default: now. */
  effectiveFrom: z.optional(z.iso.datetime({ offset: true })),
})

export const publishPolicy = call({
  ...onPolicy,
  method: 'POST',
  path: '/api/admin/policies/:policy',
  access: 'admin',
  confirmed: true,
  summary: 'Adds a version of a policy, in force from a time that is not in the past',
  body: NewPolicyVersion,
  reply: PolicyVersion,
  status: 201,
})

export const listPoliciesToAccept = call({
  method: 'GET',
  path: '/api/user/policies',
  access: 'user',
  summary: 'Lists the policies in force that the signed-in user has yet to accept',
  reply: z.array(z.object({ policy: z.enum(CONSENT_POLICIES), version: Id, effectiveFrom: Timestamp })),
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
