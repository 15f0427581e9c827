import type Stripe from 'stripe'
import * as z from 'zod'
import { notFound } from '../api-error.ts'
import type { Cause } from '../cause.ts'
import { firstRow, type Tx } from '../database.ts'
import { newId } from '../ids.ts'
import { findObject, toUnixSeconds } from '../objects.ts'
import { reference, url } from '../params.ts'
import { type Call, route } from '../route.ts'
import { completeOnboarding, isDeleted } from './accounts.ts'

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
  const token = newId('link')
  const expiresAt = new Date(tx.now.getTime() + LINK_MINUTES * 60_000)
  await tx.query(
    `insert into sandbox.onboarding_links (token, account, return_url, refresh_url, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [token, params.account, params.return_url, params.refresh_url, expiresAt],
  )
  return {
    object: 'account_link',
    created: toUnixSeconds(tx.now),
    expires_at: toUnixSeconds(expiresAt),
    url: `${publicUrl}/onboarding/${token}`,
  }
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
    await completeOnboarding(tx, cause, link.account)
    await tx.query('update sandbox.onboarding_links set finished = true where visit = $1', [visit])
  }
  return completes ? link.returnUrl : link.refreshUrl
}

export const accountLinkRoutes = [route('POST', '/v1/account_links', CreateParams, createLink)]
