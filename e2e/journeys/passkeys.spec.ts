import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, ownContext, test } from '../support/fixtures.ts'

/** Gives the browser a built-in authenticator with a user who always agrees. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  /** Sets whether the user agrees to use the authenticator. */
  const setPresent = (enabled: boolean) =>
    session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return { setPresent }
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
}

test('a user adds a passkey, signs in with it by autofill, and uses it as second factor and to confirm the identity', {
  tag: '@proof',
}, async ({ createUser, openAs, database }) => {
  const ada = await createUser()
  const page = await openAs(ada, undefined, ownContext)
  const { setPresent } = await addAuthenticator(page)
  await page.goto('/profile?tab=security')
  await page.getByRole('button', { name: 'Add a Passkey' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'I Saved Them' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)

  // The browser suggests the passkey at the email field, and the user selects it.
  await signOut(page)
  await page.goto('/auth?returnTo=/notifications')
  await expect(page).toHaveURL('/notifications')

  // After the password, the passkey is the second factor.
  await setPresent(false)
  await signOut(page)
  await page.goto('/auth')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expectAccessible(page)
  await setPresent(true)
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()

  // After ten minutes, removing the passkey needs a new proof of identity: the passkey itself.
  await database.pool.query(
    `update sessions set sess = sess - 'confirmedAt'
     where sess ->> 'userId' = (select id from users where email = $1)`,
    [ada.email],
  )
  await page.goto('/profile?tab=security')
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('button', { name: 'Remove Passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await expect(dialog.getByLabel('Recovery code')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page.getByText('Passkey removed', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toHaveCount(0)
})
