import { useEffect, useState } from 'react'
import { consentDialog } from '../data/consent-dialog.ts'
import { identityDialog } from '../data/identity-dialog.ts'
import { ConfirmIdentityDialog } from '../features/sign-in/confirm-identity-dialog.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { PolicyList } from './policy-list.tsx'
import { useAcceptPolicies } from './use-accept-policies.ts'

/** Dialogs that ask users to confirm their identity or to accept the terms while a call waits. */
export default function WaitingDialogs() {
  const identity = useQuestion(identityDialog)
  const consent = useQuestion(consentDialog)
  return (
    <>
      {identity && <ConfirmIdentityDialog onClose={identity.answer} />}
      {consent && <ConsentDialog onClose={consent.answer} />}
    </>
  )
}

/** Asks for consent when a call was refused without it. Afterwards the call is repeated. */
function ConsentDialog({ onClose }: { onClose: (isAccepted: boolean) => void }) {
  const { policies, accept, isBusy } = useAcceptPolicies(() => onClose(true))
  return (
    <ConfirmDialog
      open
      title="Our terms have changed"
      description={
        policies.length > 0 ? (
          <>
            Please read our <PolicyList policies={policies} newTab />. Accept to continue.
          </>
        ) : (
          'Please accept our terms to continue.'
        )
      }
      confirmLabel="Accept and Continue"
      busy={isBusy}
      onConfirm={accept}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose(false)
      }}
    />
  )
}

/** All waiting calls share one dialog. */
interface Question {
  answer: (isConfirmed: boolean) => void
  answered: Promise<boolean>
}

/** Lets a mounted dialog answer calls of `asker.ask`. Returns null while no call waits for an answer. */
function useQuestion(asker: { ask: () => Promise<boolean> }): Question | null {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    let open: Question | null = null
    const { ask } = asker
    asker.ask = () => {
      open ??= createQuestion(() => {
        open = null
        setQuestion(null)
      })
      setQuestion(open)
      return open.answered
    }
    return () => {
      asker.ask = ask
      open?.answer(false)
    }
  }, [asker])
  return question
}

function createQuestion(onAnswered: () => void): Question {
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  const answer = (isConfirmed: boolean) => {
    onAnswered()
    resolve(isConfirmed)
  }
  return { answer, answered }
}
