import { type CurrentUser, Profile, updateProfile } from '@sought/contract/accounts'
import { useEffect } from 'react'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSetCurrentUser } from '../use-set-current-user.ts'
import { PendingEmail } from './pending-email.tsx'

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
    input: (body) => ({ body }),
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
