import { type CurrentUser, getCurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { deleteAccount } from '@sought/contract/security'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { getQueryKey } from '../../../data/calls.ts'
import { useAction } from '../../../data/use-action.ts'
import { forgetViewed } from '../../../shared/requests/viewed-requests.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

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
  const [isOpen, setIsOpen] = useState(false)
  const confirmation = useConfirmation(user)
  const { send, isPending, openMoneyMessage, reset } = useDeletion(confirmation)
  const changeOpen = (open: boolean) => {
    setIsOpen(open)
    confirmation.clear()
    reset()
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isPending && confirmation.check()) send(confirmation.body)
  }
  return (
    <ConfirmDialog
      title="Delete your account?"
      description="This cannot be undone. Records that involve other people stay, under the name Deleted user."
      confirmLabel="Delete Account"
      tone="danger"
      busy={isPending}
      open={isOpen}
      onOpenChange={changeOpen}
      onConfirm={() => submit()}
      trigger={<Button variant="secondary">Delete Account</Button>}
    >
      <form noValidate onSubmit={submit} className="grid gap-5">
        <BulletList title="Erased" items={ERASED} />
        <BulletList title="Kept" items={KEPT} />
        {openMoneyMessage && (
          <Notice tone="danger" live>
            {openMoneyMessage}{' '}
            <Link href={paths.payments()} className="link">
              See your transactions
            </Link>
          </Notice>
        )}
        {user.hasPassword ? (
          <PasswordField label="Your password" autoComplete="current-password" {...confirmation.field} />
        ) : (
          <TextField
            label="Your email, to confirm"
            type="email"
            autoComplete="off"
            hint={user.email}
            {...confirmation.field}
          />
        )}
      </form>
    </ConfirmDialog>
  )
}

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

type Confirmation = ReturnType<typeof useConfirmation>

/** The field that confirms the deletion: the password or, for users without one, their email. */
function useConfirmation({ hasPassword, email }: CurrentUser) {
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const showError = (message: string) => {
    setError(message)
    input.current?.focus()
  }
  const problem = hasPassword
    ? value === '' && 'Password is required'
    : value.trim().toLowerCase() !== email.toLowerCase() && 'This is not the email address of this account'
  return {
    body: hasPassword ? { password: value } : { email: value.trim() },
    field: {
      ref: input,
      value,
      error,
      onChange: ({ target }: { target: { value: string } }) => {
        setValue(target.value)
        setError(undefined)
      },
    },
    showError,
    check: () => {
      if (problem) showError(problem)
      return !problem
    },
    clear: () => {
      setValue('')
      setError(undefined)
    },
  }
}

function useDeletion(confirmation: Confirmation) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const { run, isPending, error, reset } = useAction(deleteAccount, {
    success: { title: 'Account deleted', description: 'Your personal data has been erased.' },
    failure: (error) => {
      if (error.code === 'money_open') return null
      if (error.code === 'wrong_password') {
        confirmation.showError(error.userMessage ?? '')
        return null
      }
      return {
        title: 'Error',
        description: error.userMessage ?? 'The account could not be deleted. Please try again.',
      }
    },
    onDone: () => {
      forgetViewed()
      // Leave first: after signing out, this screen would be remembered as the place to return to.
      navigate(paths.home())
      cache.clear()
      cache.setQueryData(getQueryKey(getCurrentUser), null)
    },
  })
  return {
    send: (body: Confirmation['body']) => void run({ body }),
    isPending,
    openMoneyMessage: error?.code === 'money_open' ? error.userMessage : null,
    reset,
  }
}
