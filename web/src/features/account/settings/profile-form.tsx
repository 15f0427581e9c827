import { type CurrentUser, Profile, updateProfile } from '@sought/contract/accounts'
import { cancelEmailChange } from '@sought/contract/security'
import { useEffect } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { useResendLink } from '../../../shared/sign-in/use-resend-link.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useIsUndeliverable } from '../use-is-undeliverable.ts'
import { useSetCurrentUser } from '../use-set-current-user.ts'

/** The email field shows the unconfirmed address, if any. Otherwise saving would cancel the change. */
function fieldsOf(user: CurrentUser) {
  return {
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    email: user.pendingEmail ?? user.email,
    bio: user.bio ?? '',
    location: user.location ?? '',
    phone: user.phone ?? '',
  }
}

export function ProfileForm({ user }: { user: CurrentUser }) {
  const setCurrentUser = useSetCurrentUser()
  const form = useContractForm(updateProfile, {
    schema: Profile,
    values: fieldsOf(user),
    success: ({ pendingEmail }) => ({
      title: 'Profile updated',
      description:
        pendingEmail !== null && pendingEmail !== user.pendingEmail
          ? `Open the link we sent to ${pendingEmail} to confirm your new address.`
          : 'Your changes are saved.',
    }),
    failure: 'Failed to update profile. Please try again.',
    refusals: { email_taken: 'email' },
    // A new number is not verified yet.
    onDone: (saved) => {
      form.reset(fieldsOf(saved))
      setCurrentUser(saved)
    },
  })
  const { reset } = form
  // Shows changes from other tabs, except in fields that the user has edited.
  useEffect(() => reset(fieldsOf(user), { keepDirtyValues: true, keepErrors: true }), [reset, user])

  return (
    <Form form={form} name="Profile" submitLabel="Save Changes">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="First name" autoComplete="given-name" {...form.field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...form.field('lastName')} />
      </div>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={
          user.pendingEmail
            ? undefined
            : 'We send a link to a new address. The change takes effect when you open the link.'
        }
        {...form.field('email')}
      />
      {user.pendingEmail && <PendingEmail email={user.email} pendingEmail={user.pendingEmail} />}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Phone" type="tel" optional autoComplete="tel" {...form.field('phone')} />
        <TextField label="Location" optional autoComplete="address-level2" {...form.field('location')} />
      </div>
      <TextArea
        label="Bio"
        optional
        hint="Everyone can read it on your public profile."
        {...form.field('bio')}
      />
    </Form>
  )
}

/** A new email address that is not confirmed yet, with buttons to resend the link and to cancel the change. */
function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const isUndeliverable = useIsUndeliverable(pendingEmail)
  const resend = useResendLink(pendingEmail)
  const setCurrentUser = useSetCurrentUser()
  const cancel = useAction(cancelEmailChange, {
    success: { title: 'Change cancelled', description: `${email} stays your address.` },
    failure: 'Failed to update profile. Please try again.',
    onDone: setCurrentUser,
  })
  return (
    <Notice
      tone={isUndeliverable ? 'danger' : 'warning'}
      title={isUndeliverable ? 'This address does not exist' : 'Not confirmed yet'}
    >
      <p>
        {isUndeliverable ? 'The mail server does not know ' : 'Open the link we sent to '}
        <b className="[overflow-wrap:anywhere]">{pendingEmail}</b>. Until{' '}
        {isUndeliverable ? 'you confirm another one, ' : 'then '}
        <b className="[overflow-wrap:anywhere]">{email}</b> stays your address.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={resend.isPending} onClick={() => void resend.run()}>
          Resend Link
        </Button>
        <Button variant="secondary" size="sm" busy={cancel.isPending} onClick={() => void cancel.run()}>
          Cancel Change
        </Button>
      </div>
    </Notice>
  )
}
