import { type CurrentUser, Profile, updateProfile } from '@sought/contract/accounts'
import { useEffect } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/form.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSetCurrentUser } from '../use-set-current-user.ts'
import { PendingEmail } from './pending-email.tsx'

type Form = ReturnType<typeof useProfileForm>

const useProfileForm = (user: CurrentUser) => useContractForm(Profile, fieldsOf(user))

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
  const form = useProfileForm(user)
  const { save, isPending } = useSave(form)
  const { errors } = form.formState
  // Shows changes from other tabs, except in fields that the user has edited.
  useEffect(() => form.reset(fieldsOf(user), { keepDirtyValues: true, keepErrors: true }), [form, user])

  return (
    <form noValidate aria-label="Profile" onSubmit={save} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...form.register('firstName')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...form.register('lastName')}
        />
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
        error={errors.email?.message}
        {...form.register('email')}
      />
      {user.pendingEmail && <PendingEmail email={user.email} pendingEmail={user.pendingEmail} />}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Phone"
          type="tel"
          optional
          autoComplete="tel"
          error={errors.phone?.message}
          {...form.register('phone')}
        />
        <TextField
          label="Location"
          optional
          autoComplete="address-level2"
          error={errors.location?.message}
          {...form.register('location')}
        />
      </div>
      <TextArea
        label="Bio"
        optional
        hint="Everyone can read it on your public profile."
        error={errors.bio?.message}
        {...form.register('bio')}
      />
      <Button type="submit" busy={isPending} className="justify-self-start">
        Save Changes
      </Button>
    </form>
  )
}

const isField = (path: string): path is keyof typeof Profile.shape => path in Profile.shape

function useSave(form: Form) {
  const setCurrentUser = useSetCurrentUser()
  const { run, isPending } = useAction(updateProfile, {
    // A changed number is not verified.
    success: ({ pendingEmail }) => ({
      title: 'Profile updated',
      description:
        pendingEmail !== null && pendingEmail !== form.formState.defaultValues?.email
          ? `Open the link we sent to ${pendingEmail} to confirm your new address.`
          : 'Your changes are saved.',
    }),
    failure: ({ code, userMessage, issues }) => {
      if (code === 'email_taken') {
        form.setError('email', { message: userMessage ?? '' }, { shouldFocus: true })
        return null
      }
      for (const { path, message } of issues) if (isField(path)) form.setError(path, { message })
      return { title: 'Error', description: 'Failed to update profile. Please try again.' }
    },
    onDone: (user) => {
      form.reset(fieldsOf(user))
      setCurrentUser(user)
    },
  })
  return { save: form.handleSubmit((body) => void run({ body })), isPending }
}
