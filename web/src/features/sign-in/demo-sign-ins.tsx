import { signIn } from '@sought/contract/accounts'
import { useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { refusedToast, type SignedIn } from './sign-in-form.tsx'

interface DemoAccount {
  role: string
  email: string
  password: string
}

interface DemoSignInsProps {
  accounts: readonly DemoAccount[]
  onDone: SignedIn
}

/** One button for each demo account. In production the server lists none. */
export function DemoSignIns({ accounts, onDone }: DemoSignInsProps) {
  const { run, isPending } = useAction(signIn, { failure: refusedToast, onDone })
  return (
    <section aria-labelledby="demo-sign-ins" className="mt-6 grid gap-3 text-center">
      <h2 id="demo-sign-ins" className="text-fine text-ink-soft">
        Test mode: look around as
      </h2>
      <div className="flex flex-wrap justify-center gap-3">
        {accounts.map(({ role, email, password }) => (
          <Button
            key={email}
            variant="secondary"
            size="sm"
            disabled={isPending}
            onClick={() => void run({ body: { email, password } })}
          >
            {role}
          </Button>
        ))}
      </div>
    </section>
  )
}
