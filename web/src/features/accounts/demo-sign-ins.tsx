import { type CurrentUser, signIn } from '@sought/contract/accounts'
import { useSend } from '../../lib/calls.ts'
import { Button } from '../../ui/button.tsx'
import { failed } from './failed.ts'

interface DemoSignIn {
  role: string
  email: string
  password: string
}

/** One press into the demo marketplace. The server only ever offers these outside production. */
export function DemoSignIns({
  of,
  onDone,
}: {
  of: readonly DemoSignIn[]
  onDone: (user: CurrentUser) => void
}) {
  const send = useSend(signIn)
  const enter = ({ email, password }: DemoSignIn) =>
    send.mutate(
      { body: { email, password } },
      {
        onSuccess: onDone,
        onError: failed('Sign in failed'),
      },
    )

  return (
    <section aria-labelledby="demo-sign-ins" className="mt-6 grid gap-3 text-center">
      <h2 id="demo-sign-ins" className="text-fine text-ink-soft">
        Test mode: look around as
      </h2>
      <div className="flex flex-wrap justify-center gap-3">
        {of.map((person) => (
          <Button
            key={person.email}
            variant="secondary"
            size="sm"
            disabled={send.isPending}
            onClick={() => enter(person)}
          >
            {person.role}
          </Button>
        ))}
      </div>
    </section>
  )
}
