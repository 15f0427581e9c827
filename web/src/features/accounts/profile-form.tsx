import { type CurrentUser, Profile, updateProfile } from '@sought/contract/accounts'
import { useEffect } from 'react'
import { useSend } from '../../lib/calls.ts'
import type { CallError } from '../../lib/client.ts'
import { useContractForm } from '../../lib/form.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PendingEmail } from './pending-email.tsx'
import { useShowUser } from './use-show-user.ts'

type Form = ReturnType<typeof useProfileForm>

const useProfileForm = (user: CurrentUser) => useContractForm(Profile, fieldsOf(user))

/** An address that waits to be proved stands in its field: saving the rest must not drop it. */
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
  const { save, busy } = useSave(form)
  const { errors } = form.formState
  // Whatever changed elsewhere is shown, except where somebody is typing.
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
          user.pendingEmail ? undefined : 'A new address counts once you have opened the link we send to it.'
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
      <TextArea label="Bio" optional error={errors.bio?.message} {...form.register('bio')} />
      <Button type="submit" busy={busy} className="justify-self-start">
        Save Changes
      </Button>
    </form>
  )
}

const isField = (path: string): path is keyof typeof Profile.shape => path in Profile.shape

function useSave(form: Form) {
  const send = useSend(updateProfile)
  const showUser = useShowUser()
  const sessionEnded = useSessionEnded()
  const saved = (user: CurrentUser, before: string) => {
    form.reset(fieldsOf(user))
    showUser(user)
    const asked = user.pendingEmail !== null && user.pendingEmail !== before
    toast(
      asked
        ? {
            title: 'Profile updated',
            description: `Open the link that we sent to ${user.pendingEmail}.`,
          }
        : { title: 'Profile updated', description: 'Your changes are saved.' },
    )
  }
  const failed = (error: CallError) => {
    if (sessionEnded(error)) return
    if (error.code === 'email_taken') {
      return form.setError('email', { message: error.userMessage ?? '' }, { shouldFocus: true })
    }
    // A connection that dropped says nothing about any field.
    for (const { path, message } of error.issues ?? []) if (isField(path)) form.setError(path, { message })
    toast({
      title: 'Error',
      description: 'Failed to update profile. Please try again.',
      variant: 'destructive',
    })
  }
  const save = form.handleSubmit((body) => {
    const before = form.formState.defaultValues?.email ?? ''
    send.mutate({ body }, { onSuccess: (user) => saved(user, before), onError: failed })
  })
  return { save, busy: send.isPending }
}
