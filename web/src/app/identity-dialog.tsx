import { useEffect, useState } from 'react'
import { ConfirmIdentityDialog } from '../features/accounts/confirm-identity-dialog.tsx'
import { identityDialog } from '../lib/identity-dialog.ts'

/** The calls that wait for a proof of identity share one dialog. */
interface Question {
  answer: (isConfirmed: boolean) => void
  answered: Promise<boolean>
}

/** Asks users for a proof of identity while a call waits for it. */
export default function IdentityDialog() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    let open: Question | null = null
    const { ask } = identityDialog
    identityDialog.ask = () => {
      open ??= createQuestion(() => {
        open = null
        setQuestion(null)
      })
      setQuestion(open)
      return open.answered
    }
    return () => {
      identityDialog.ask = ask
      open?.answer(false)
    }
  }, [])
  return question && <ConfirmIdentityDialog onClose={question.answer} />
}

function createQuestion(onAnswered: () => void): Question {
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  const answer = (isConfirmed: boolean) => {
    onAnswered()
    resolve(isConfirmed)
  }
  return { answer, answered }
}
