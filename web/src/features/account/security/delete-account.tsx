import { type CurrentUser, getCurrentUser, PasswordEntry } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { deleteAccount } from '@sought/contract/security'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { getQueryKey } from '../../../data/calls.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { forgetViewed } from '../../../shared/requests/viewed-requests.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

const ERASED = [
  'your name, email, phone, location, bio, picture and what you sell',
  'your password, passkeys, devices and saved bank details',
  'your open requests and pending offers',
  'your notifications and email settings',
]

const KEPT = ['payments and disputes, which we keep for 7 years', 'messages and ratings that others received']

/**
 * Says what is erased and what is kept. Asks for the password, or for the email if there is none, before deleting.
 */
export function DeleteAccount({ user }: { user: CurrentUser }) {
  const { hasPassword, email } = user
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const form = useContractForm(deleteAccount, {
    schema: z.object({ confirmation: hasPassword ? PasswordEntry.shape.password : sameAs(email) }),
    values: { confirmation: '' },
    input: ({ confirmation }) => ({
      body: hasPassword ? { password: confirmation } : { email: confirmation },
    }),
    success: { title: 'Account deleted', description: 'Your personal data has been erased.' },
    failure: ({ code, userMessage }) =>
      code === 'money_open'
        ? null
        : {
            title: 'Error',
            description: userMessage ?? 'The account could not be deleted. Please try again.',
          },
    refusals: { wrong_password: 'confirmation' },
    explain: ({ code, userMessage }) =>
      code === 'money_open' && (
        <>
          {userMessage} <TextLink to={paths.payments()}>See your transactions</TextLink>
        </>
      ),
    onDone: () => {
      forgetViewed()
      // Leaves this screen before the sign-out. Otherwise the app would return to it after the next sign-in.
      navigate(paths.home())
      cache.clear()
      cache.setQueryData(getQueryKey(getCurrentUser), null)
    },
  })
  return (
    <ConfirmForm
      form={form}
      title="Delete your account?"
      description="This cannot be undone. Records that involve other people stay, under the name Deleted user."
      confirmLabel="Delete Account"
      tone="danger"
      onOpenChange={() => form.restart()}
      trigger={<Button variant="secondary">Delete Account</Button>}
    >
      <BulletList title="Erased" items={ERASED} />
      <BulletList title="Kept" items={KEPT} />
      {hasPassword ? (
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          {...form.field('confirmation')}
        />
      ) : (
        <TextField
          label="Your email, to confirm"
          type="email"
          autoComplete="off"
          hint={email}
          {...form.field('confirmation')}
        />
      )}
    </ConfirmForm>
  )
}

const sameAs = (email: string) =>
  z.string().check(
    z.trim(),
    z.refine(
      (entered) => entered.toLowerCase() === email.toLowerCase(),
      'This is not the email address of this account',
    ),
  )

function BulletList({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div>
      <h3 className="font-strong">{title}</h3>
      <ul className="mt-1 grid list-disc gap-0.5 pl-5 text-ink-soft marker:text-line-strong">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
