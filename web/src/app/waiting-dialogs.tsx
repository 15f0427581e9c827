import { consentDialog } from '../data/consent-dialog.ts'
import { identityDialog } from '../data/identity-dialog.ts'
import { ConfirmIdentityDialog } from '../features/sign-in/confirm-identity-dialog.tsx'
import { ConsentDialog } from './consent-dialog.tsx'
import { useQuestion } from './use-question.ts'

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
