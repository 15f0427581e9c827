import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import { firstRow, type Tx } from '../database.ts'
import { invalidRequest, notFound } from '../http/api-error.ts'
import { reference, url } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { findObject, toUnixSeconds } from '../objects.ts'
import { getAccount, isDeleted } from './account-access.ts'
import { completeOnboarding } from './accounts.ts'

const LINK_MINUTES = 5

const CreateParams = z.strictObject({
  account: reference,
  type: z.enum(['account_onboarding', 'account_update']),
  return_url: url,
  refresh_url: url,
  collect: z.enum(['currently_due', 'eventually_due']).optional(),
  collection_options: z
    .strictObject({
      fields: z.enum(['currently_due', 'eventually_due']).optional(),
      future_requirements: z.enum(['include', 'omit']).optional(),
    })
    .optional(),
})

async function createLink({
  tx,
  params,
  publicUrl,
}: Call<z.output<typeof CreateParams>>): Promise<Stripe.AccountLink> {
  const account = await findObject(tx, 'account', params.account)
  if (!account || isDeleted(account)) throw notFound('account', params.account, 'account')
  const expiresAt = new Date(tx.now.getTime() + LINK_MINUTES * 60_000)
  return {
    object: 'account_link',
    created: toUnixSeconds(tx.now),
    expires_at: toUnixSeconds(expiresAt),
    url: `${publicUrl}/onboarding/${await insertLink(tx, params, expiresAt)}`,
  }
}

async function insertLink(
  tx: Tx,
  to: { account: string; return_url: string; refresh_url: string },
  expiresAt: Date,
): Promise<string> {
  const token = newId('link')
  await tx.query(
    `insert into sandbox.onboarding_links (token, account, return_url, refresh_url, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [token, to.account, to.return_url, to.refresh_url, expiresAt],
  )
  return token
}

/** A link to the Express dashboard, where a seller can change the bank account and answer requirements. */
async function createLoginLink({ tx, id, publicUrl }: Call): Promise<Stripe.LoginLink> {
  const { body } = await getAccount(tx, id)
  if (body.controller?.stripe_dashboard?.type !== 'express') {
    throw invalidRequest(
      'Cannot create a login link for an account that does not have access to the Express Dashboard.',
    )
  }
  if (!body.details_submitted) {
    throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.')
  }
  const expiresAt = new Date(tx.now.getTime() + LINK_MINUTES * 60_000)
  const to = { account: id, return_url: `${publicUrl}/express`, refresh_url: `${publicUrl}/express` }
  const url = `${publicUrl}/onboarding/${await insertLink(tx, to, expiresAt)}`
  return { object: 'login_link', created: toUnixSeconds(tx.now), url }
}

export interface OnboardingVisit {
  visit: string
  account: string
  returnUrl: string
  refreshUrl: string
}

/** A link opens once, within five minutes. Afterwards it only redirects to the page for requesting a new link. */
export async function openLink(
  tx: Tx,
  token: string,
): Promise<OnboardingVisit | { refreshUrl: string } | undefined> {
  const opened = firstRow(
    await tx.query<OnboardingVisit>(
      `update sandbox.onboarding_links set visit = $2
       where token = $1 and visit is null and expires_at > $3
       returning visit, account, return_url as "returnUrl", refresh_url as "refreshUrl"`,
      [token, newId('visit'), tx.now],
    ),
  )
  if (opened) return opened
  return firstRow(
    await tx.query<{ refreshUrl: string }>(
      'select refresh_url as "refreshUrl" from sandbox.onboarding_links where token = $1',
      [token],
    ),
  )
}

/** Handles a button of the onboarding page and returns the redirect URL. Repeating it changes nothing. */
export async function finishVisit(
  tx: Tx,
  cause: Cause,
  visit: string,
  completes: boolean,
  bankNumber?: string | undefined,
): Promise<string | undefined> {
  const link = firstRow(
    await tx.query<{ account: string; returnUrl: string; refreshUrl: string; finished: boolean }>(
      `select account, return_url as "returnUrl", refresh_url as "refreshUrl", finished
       from sandbox.onboarding_links where visit = $1 for update`,
      [visit],
    ),
  )
  if (!link) return undefined
  if (completes && !link.finished) {
    await completeOnboarding(tx, cause, link.account, bankNumber)
    await tx.query('update sandbox.onboarding_links set finished = true where visit = $1', [visit])
  }
  return completes ? link.returnUrl : link.refreshUrl
}

export const accountLinkRoutes = [
  route('POST', '/v1/account_links', CreateParams, createLink),
  route('POST', '/v1/accounts/:id/login_links', z.strictObject({}), createLoginLink),
]
